// The server's side of things, as functions: each asks one question and gives the answer, or throws
// a Refusal with a sentence for the user.

import type {
  Card,
  ChangeRequest,
  CheckData,
  ErrorData,
  ExportRequest,
  FactsData,
  HomeData,
  NewRequest,
  Opened,
  PageData,
  PageRequest,
  PlacementsData,
  PlacementsRequest,
  ProblemRequest,
  RunData,
  RunsData,
  Saved,
  SaveRequest,
  ShapeData,
  ShapeRequest,
  ShapesData,
  SolutionData,
  SolveRequest,
  StatisticsData,
  TextRequest,
} from "./messages";

/** Why the server did not do it, in its own words. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly reason: ErrorData["reason"],
  ) {
    super(message);
  }
}

export const home = () => get<HomeData>("home");
/** The address of a card's picture; an image cannot send a header, so the token is part of it. */
export const pictureOf = (card: Card) => `api/${card.picture}&token=${encodeURIComponent(token())}`;
export const open = (place: string) => get<Opened>(`puzzle?place=${encodeURIComponent(place)}`);
export const save = (request: SaveRequest) => send<Saved>("PUT", "puzzle", request);
export const create = (request: NewRequest) => send<Opened>("POST", "new", request);
export const importFile = (file: File) => send<Opened>("POST", `import?name=${encodeURIComponent(file.name)}`, file);

export const change = (request: ChangeRequest) => send<ShapeData>("POST", "shape/change", request);
export const read = (request: TextRequest) => send<ShapesData>("POST", "shape/read", request);
export const facts = (request: ShapeRequest) => send<FactsData>("POST", "shape/facts", request);
/** An SVG picture of a shape. */
export const picture = (request: ShapeRequest) => text("shape/picture", request);

export const check = (request: ProblemRequest) => send<CheckData>("POST", "problem/check", request);
export const placements = (request: PlacementsRequest) => send<PlacementsData>("POST", "problem/placements", request);

export const solve = (request: SolveRequest) => send<RunData>("POST", "runs", request);
/** The runs of one question, whatever the options, the latest first. */
export const runsOf = (request: ProblemRequest) => send<RunsData>("POST", "runs/of", request);
export const pause = (run: string) => send<RunData>("POST", `runs/${run}/pause`);
export const resume = (run: string) => send<RunData>("POST", `runs/${run}/resume`);
/** Stop a run and throw away what it found. */
export const drop = (run: string) => send<null>("DELETE", `runs/${run}`);
export const page = (run: string, request: PageRequest) => send<PageData>("POST", `runs/${run}/page`, request);
export const statistics = (run: string) => get<StatisticsData>(`runs/${run}/statistics`);
export const solution = (run: string, number: number) => get<SolutionData>(`runs/${run}/solutions/${number}`);

/** A file to take along, under its name, and what its format cannot hold. */
export async function exported(request: ExportRequest): Promise<{ file: File; lost: string }> {
  const response = await ask("POST", "export", request);
  const said = (name: string) => response.headers.get(name) ?? "";
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(said("content-disposition"))?.[1] ?? "puzzle");
  return { file: new File([await response.blob()], name), lost: decodeURIComponent(said("kumitate-lost")) };
}

interface Hear {
  run: (run: RunData) => void;
  saved: (saved: Saved) => void;
  begun: () => void;
}

/** An event by its name, and its message as JSON. */
type Event = readonly [name: string, data: string];

const RETRY = 1000; // milliseconds until a stream that ended is asked for again

/**
 * Whatever happens on the server: how runs go on, and that a puzzle was saved in another tab. What
 * happened while nobody listened is not told again; `begun` is called whenever listening begins.
 *
 * A browser has six connections to a server, so of all tabs one has the stream and tells the others;
 * when it is closed, the next one takes over.
 */
export function listen(hear: Hear): () => void {
  const leaving = new AbortController();
  const others = new BroadcastChannel("events");
  const heard = ([name, data]: Event) => {
    if (name === "begun") hear.begun();
    if (name === "run") hear.run(JSON.parse(data) as RunData);
    if (name === "saved") hear.saved(JSON.parse(data) as Saved);
  };
  const tell = (event: Event) => {
    heard(event);
    others.postMessage(event);
  };
  const lead = async () => {
    while (!leaving.signal.aborted) {
      await follow(tell, leaving.signal).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  };
  others.onmessage = ({ data }) => heard(data as Event);
  // Only loopback addresses have locks; by another, each tab has a stream of its own.
  const led = "locks" in navigator ? navigator.locks.request("events", { signal: leaving.signal }, lead) : lead();
  led.catch(() => {});
  return () => {
    leaving.abort();
    others.close();
  };
}

/** One stream of server-sent events, to its end. An EventSource could not send the token. */
async function follow(tell: (event: Event) => void, signal: AbortSignal): Promise<void> {
  const response = await fetch("api/events", { headers: authorization(), signal });
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let first = true; ; first = false) {
    const { done, value } = await reader.read();
    if (done) return;
    if (first) tell(["begun", ""]);
    const events = (rest + value).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? [];
      if (name && data) tell([name, data]);
    }
  }
}

// ---- the token ----

// It comes in the address that the terminal printed and moves to localStorage, which only pages of this
// origin, port and all, can read. Cookies ignore ports: any server on this machine would receive one.
const TOKEN = "token";
let unstored = ""; // a token for which localStorage has no room; it stays in the address

/** Take the token out of the address; false if there is none there, nor one from before. */
export function takeToken(): boolean {
  const given = new URLSearchParams(location.search).get("token");
  if (given) {
    try {
      localStorage.setItem(TOKEN, given);
      history.replaceState(null, "", location.pathname + location.hash);
    } catch {
      unstored = given;
    }
  }
  return token() !== "";
}

const token = () => unstored || (localStorage.getItem(TOKEN) ?? "");
const authorization = () => ({ authorization: `Bearer ${token()}` });

// ---- questions ----

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const raw = body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      body: body === undefined ? null : raw ? body : JSON.stringify(body),
      headers: { ...authorization(), "content-type": raw ? "application/octet-stream" : "application/json" },
    });
  } catch {
    throw new Refusal("kumitate does not answer; is it still running in the terminal?", "ours");
  }
  if (response.ok) return response;
  const said = (await response.json().catch(() => null)) as ErrorData | null;
  throw new Refusal(said?.message ?? `the server answered ${response.status}`, said?.reason ?? "ours");
}

const get = async <T>(path: string) => (await (await ask("GET", path)).json()) as T;
const send = async <T>(method: string, path: string, body?: unknown) =>
  (await (await ask(method, path, body)).json()) as T;
const text = async (path: string, body: unknown) => (await ask("POST", path, body)).text();
