// The server's side of things, as functions: each asks one question and gives the answer, or throws
// a Refusal with a sentence for the user.

import { askAlone, isAlone, pictureAlone } from "./alone";
import type {
  Card,
  ChangeRequest,
  CheckData,
  ChooseRequest,
  CollectionData,
  DesignActRequest,
  DesignData,
  DesignRequest,
  DesignsData,
  DraftCard,
  DraftData,
  DraftRequest,
  DraftsData,
  ErrorData,
  ExportRequest,
  FactsData,
  FormsData,
  HintData,
  HintRequest,
  HomeData,
  NewRequest,
  OneData,
  OneRequest,
  Opened,
  PageData,
  PageRequest,
  PlacementsData,
  PlacementsRequest,
  PreviewData,
  ProblemRequest,
  RegridRequest,
  RunData,
  RunsData,
  Saved,
  SaveRequest,
  SearchesData,
  ShapeData,
  ShapeRequest,
  ShapesData,
  ShapesOfRequest,
  ShortcutsData,
  ShortcutsRequest,
  SolutionData,
  SolveRequest,
  StatesData,
  StatisticsData,
  TextRequest,
  ViewRequest,
  WhereData,
} from "./messages";
import { baseName } from "./text";

/** Why the server did not do it, in its own words; or that there is no server to say anything. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly reason: ErrorData["reason"] | "unreachable",
  ) {
    super(message);
  }
}

/** Whether an error only says that the connection is lost, of which a banner speaks already. */
export const isLost = (error: unknown) => error instanceof Refusal && error.reason === "unreachable";

export const home = () => get<HomeData>("home");
/** The address of a card's picture; an image cannot send a header, so the token is part of it. */
export const pictureOf = (card: Pick<Card, "picture">): string | Promise<string> =>
  isAlone ? pictureAlone(card.picture) : `api/${card.picture}&token=${encodeURIComponent(token())}`;
/** Puzzles of a collection, from a rank on, the best first. */
export const collection = (place: string, first: number, count: number) =>
  get<CollectionData>(`collection?place=${encodeURIComponent(place)}&first=${first}&count=${count}`);
/** What a puzzle of a collection shows when it is opened. */
export const content = <T>(place: string) => get<T>(`collection/puzzle?place=${encodeURIComponent(place)}`);
export const open = (place: string) =>
  isAlone && place.startsWith("site/") ? openOfSite(place) : get<Opened>(`puzzle?place=${encodeURIComponent(place)}`);
export const save = (request: SaveRequest) => send<Saved>("PUT", "puzzle", request);
export const create = (request: NewRequest) => post<Opened>("new", request);
/** The same puzzle in the cells of another grid. */
export const regrid = (request: RegridRequest) => post<Opened>("regrid", request);
/** A puzzle of the site that has the studio; it is named after its content. */
async function openOfSite(place: string): Promise<Opened> {
  const file = await fetch(`puzzles/${encodeURIComponent(baseName(place))}`);
  if (!file.ok) throw new Refusal("this site has no such puzzle any more", "missing");
  return { ...(await importFile(new File([await file.blob()], baseName(place)))), place };
}
export const importFile = (file: File) => post<Opened>(`import?name=${encodeURIComponent(file.name)}`, file);

/** Changes that are not saved, of all puzzles; those of one draft. */
export const drafts = () => get<DraftsData>("drafts");
export const draft = (id: string) => get<DraftData>(`drafts/${id}`);
export const keepDraft = (id: string, request: DraftRequest) => send<DraftCard>("PUT", `drafts/${id}`, request);
export const dropDraft = (id: string) => send<null>("DELETE", `drafts/${id}`);

export const change = (request: ChangeRequest) => post<ShapeData>("shape/change", request);
export const read = (request: TextRequest) => post<ShapesData>("shape/read", request);
export const facts = (request: ShapeRequest) => post<FactsData>("shape/facts", request);
/** An SVG picture of a shape. */
export const picture = (request: ShapeRequest) => text("shape/picture", request);

export const check = (request: ProblemRequest) => post<CheckData>("problem/check", request);
export const shortcuts = (request: ShortcutsRequest) => post<ShortcutsData>("problem/shortcuts", request);
export const placements = (request: PlacementsRequest) => post<PlacementsData>("problem/placements", request);

export const solve = (request: SolveRequest) => post<RunData>("runs", request);
/** One assembly, or the most that fits; it is given up if nobody waits for it any more. */
export const one = async (request: OneRequest, signal: AbortSignal) =>
  (await (await ask("POST", "one", request, signal)).json()) as OneData;
/** The runs of one question, whatever the options, the latest first. */
export const runsOf = (request: ProblemRequest) => post<RunsData>("runs/of", request);
/** All runs of the folder. */
export const searches = () => get<SearchesData>("runs");
/** Where the puzzle of a run is to be opened. */
export const whereIs = (run: string) => get<WhereData>(`runs/${run}/where`);
export const pause = (run: string) => post<RunData>(`runs/${run}/pause`);
export const resume = (run: string) => post<RunData>(`runs/${run}/resume`);
/** Stop a run and throw away what it found. */
export const drop = (run: string) => send<null>("DELETE", `runs/${run}`);
export const page = (run: string, request: PageRequest) => post<PageData>(`runs/${run}/page`, request);
/** A new puzzle, whose pieces are the solutions of a run, each as one shape. */
export const shapesOf = (run: string, request: ShapesOfRequest) => post<Opened>(`runs/${run}/shapes`, request);
/** A new run with some of the solutions of a run, which stays. */
export const choose = (run: string, request: ChooseRequest) => post<RunData>(`runs/${run}/choose`, request);
export const statistics = (run: string) => get<StatisticsData>(`runs/${run}/statistics`);
/** What the pieces of a run look like. */
export const forms = (run: string) => get<FormsData>(`runs/${run}/forms`);
/** The colours chosen for the pieces of a run since it was made; null if the puzzle has other pieces by now. */
export type Colours = string | null;
const painted = (colours: Colours) => (colours === null ? "" : `?colours=${encodeURIComponent(colours)}`);
export const solution = (run: string, number: number, colours: Colours) =>
  get<SolutionData>(`runs/${run}/solutions/${number}${painted(colours)}`);
/** A solution as exported pages show it, with all that it takes to put it together. */
export const scene = <T>(run: string, number: number, colours: Colours) =>
  get<T>(`runs/${run}/solutions/${number}/scene${painted(colours)}`);
/** An SVG picture of a solution. */
export const solutionPicture = async (run: string, number: number, colours: Colours) =>
  (await ask("GET", `runs/${run}/solutions/${number}/picture${painted(colours)}`)).text();
export const states = (run: string, number: number) => get<StatesData>(`runs/${run}/solutions/${number}/states`);
export const hint = (run: string, number: number, from: HintRequest) =>
  post<HintData>(`runs/${run}/solutions/${number}/hint`, from);

/** The collections of the folder, and what fills them. */
export const designs = () => get<DesignsData>("designs");
/** Begin to fill a new one. */
export const design = (request: DesignRequest) => post<DesignData>("designs", request);
export const actOnDesign = (request: DesignActRequest) => post<DesignData>("designs/act", request);

/** A file to take along, under its name, and what its format cannot hold. */
export async function exported(request: ExportRequest): Promise<{ file: File; lost: string }> {
  const response = await ask("POST", "export", request);
  const said = (name: string) => response.headers.get(name) ?? "";
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(said("content-disposition"))?.[1] ?? "puzzle");
  return { file: new File([await response.blob()], name), lost: decodeURIComponent(said("kumitate-lost")) };
}

/** What an export would make; it is given up if nobody waits for it any more. */
export const preview = async (request: ExportRequest, signal: AbortSignal) =>
  (await (await ask("POST", "preview", request, signal)).json()) as PreviewData;
/** An SVG drawing of a solution, as a camera sees it. */
export const view = (run: string, number: number, colours: Colours, request: ViewRequest) =>
  text(`runs/${run}/solutions/${number}/view${painted(colours)}`, request);

// ---- the token ----

// It comes in the address that the terminal printed and moves to localStorage, which only pages of this
// origin, port and all, can read. Cookies ignore ports: any server on this machine would receive one.
const TOKEN = "token";
let unstored = ""; // a token for which localStorage has no room; it stays in the address

/** Take the token out of the address; false if there is none there, nor one from before. */
export function takeToken(): boolean {
  if (isAlone) return true;
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
export const authorization = () => ({ authorization: `Bearer ${token()}` });

// ---- questions ----

let lost = () => {};
/** What to do when a question finds no server. */
export function onLost(act: () => void): void {
  lost = act;
}

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const raw = body instanceof Blob;
  const sent = body === undefined ? null : raw ? body : JSON.stringify(body);
  let response: Response;
  try {
    response = isAlone
      ? await askAlone(method, path, sent)
      : await fetch(`api/${path}`, {
          method,
          keepalive: method === "DELETE", // what is discarded stays so, even if the page is left at once
          ...(signal && { signal }),
          body: sent,
          headers: { ...authorization(), "content-type": raw ? "application/octet-stream" : "application/json" },
        });
  } catch {
    if (!signal?.aborted) lost();
    throw new Refusal("kumitate studio is not responding; is it still running in the terminal?", "unreachable");
  }
  if (response.ok) return response;
  const said = (await response.json().catch(() => null)) as ErrorData | null;
  throw new Refusal(said?.message ?? `the server answered ${response.status}`, said?.reason ?? "ours");
}

const get = async <T>(path: string) => (await (await ask("GET", path)).json()) as T;
const send = async <T>(method: string, path: string, body?: unknown) =>
  (await (await ask(method, path, body)).json()) as T;
const post = <T>(path: string, body?: unknown) => send<T>("POST", path, body);
const text = async (path: string, body: unknown) => (await ask("POST", path, body)).text();
