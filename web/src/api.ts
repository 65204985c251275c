// The server's side of things, as functions: each asks one question and gives the answer, or throws
// a Refusal with a sentence for the user.

import type {
  ChangeRequest, CheckData, ErrorData, ExportRequest, FactsData, HomeData, NewRequest, Opened,
  PageData, PageRequest, PlacementsData, PlacementsRequest, ProblemRequest, RunData, RunsData, Saved,
  SaveRequest, ShapeData, ShapeRequest, ShapesData, SolutionData, SolveRequest, StatisticsData,
  TextRequest,
} from "./messages";

/** Why the server did not do it, in its own words. */
export class Refusal extends Error {
  constructor(message: string, readonly reason: ErrorData["reason"]) {
    super(message);
  }
}

export const home = () => get<HomeData>("home");
export const open = (place: string) => get<Opened>(`puzzle?place=${encodeURIComponent(place)}`);
export const save = (request: SaveRequest) => send<Saved>("PUT", "puzzle", request);
export const create = (request: NewRequest) => send<Opened>("POST", "new", request);
export const importFile = (file: File) =>
  send<Opened>("POST", `import?name=${encodeURIComponent(file.name)}`, file);

export const change = (request: ChangeRequest) => send<ShapeData>("POST", "shape/change", request);
export const read = (request: TextRequest) => send<ShapesData>("POST", "shape/read", request);
export const facts = (request: ShapeRequest) => send<FactsData>("POST", "shape/facts", request);
/** An SVG picture of a shape. */
export const picture = (request: ShapeRequest) => text("shape/picture", request);

export const check = (request: ProblemRequest) => send<CheckData>("POST", "problem/check", request);
export const placements = (request: PlacementsRequest) =>
  send<PlacementsData>("POST", "problem/placements", request);

export const solve = (request: SolveRequest) => send<RunData>("POST", "runs", request);
/** The runs of one question, whatever the options, the latest first. */
export const runsOf = (request: ProblemRequest) => send<RunsData>("POST", "runs/of", request);
export const pause = (run: string) => send<RunData>("POST", `runs/${run}/pause`);
export const resume = (run: string) => send<RunData>("POST", `runs/${run}/resume`);
/** Stop a run and throw away what it found. */
export const drop = (run: string) => send<null>("DELETE", `runs/${run}`);
export const page = (run: string, request: PageRequest) =>
  send<PageData>("POST", `runs/${run}/page`, request);
export const statistics = (run: string) => get<StatisticsData>(`runs/${run}/statistics`);
export const solution = (run: string, number: number) =>
  get<SolutionData>(`runs/${run}/solutions/${number}`);

/** A file to take along, under its name, and what its format cannot hold. */
export async function exported(request: ExportRequest): Promise<{ file: File; lost: string }> {
  const response = await ask("POST", "export", request);
  const said = (name: string) => response.headers.get(name) ?? "";
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(said("content-disposition"))?.[1] ?? "puzzle");
  return { file: new File([await response.blob()], name), lost: decodeURIComponent(said("kumitate-lost")) };
}

/**
 * Whatever happens on the server: how runs go on, and that a puzzle was saved in another tab. What
 * happened while nobody listened is not told again; `begun` is called whenever listening begins.
 */
export function listen(hear: { run: (run: RunData) => void; saved: (saved: Saved) => void; begun: () => void }): () => void {
  const source = new EventSource("api/events");
  source.addEventListener("open", hear.begun);
  source.addEventListener("run", (event) => hear.run(JSON.parse(event.data) as RunData));
  source.addEventListener("saved", (event) => hear.saved(JSON.parse(event.data) as Saved));
  return () => source.close();
}

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const raw = body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      body: body === undefined ? null : raw ? body : JSON.stringify(body),
      headers: { "content-type": raw ? "application/octet-stream" : "application/json" },
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
