// The page without a server, on a site: a worker answers instead, with Python in it (exported/studio.ts).
//
// Until Python has started, which takes seconds, the gallery is shown as the site has it in files.

import type { Asked, Told } from "./talk";

/** Whether there is no server. */
export const isAlone = typeof document !== "undefined" && "alone" in document.documentElement.dataset; // tests have none

const EMPTY: Readonly<Record<string, string>> = { drafts: '{"drafts":[]}', designs: '{"designs":[]}' };

let worker: Worker | null = null;
let isReady = false;
let last = 0;
let broken: Error | null = null; // why nothing will be answered any more
const waiting = new Map<number, { answer: (response: Response) => void; fail: (error: Error) => void }>();

let settle = () => {};
/** Python has started, or cannot. */
export const started = new Promise<void>((done) => (settle = done));

/** Begin to hear of what happens; a puzzle's folder belongs to one tab at a time. */
export function listenAlone(heard: (name: string, data: string) => void): () => void {
  const leaving = new AbortController();
  const work = () =>
    new Promise<void>((done) => {
      start(heard);
      leaving.signal.addEventListener("abort", () => done());
    });
  const name = `kumitate ${location.pathname}`;
  const alone = async () => {
    heard("connection", "starting");
    await work();
  };
  const { locks } = navigator as { locks?: LockManager }; // only https and this machine have them
  if (!locks) void work();
  else {
    void locks.query().then(({ held }) => held?.some((lock) => lock.name === name) && heard("connection", "elsewhere"));
    locks.request(name, { signal: leaving.signal }, alone).catch(() => {});
  }
  return () => leaving.abort();
}

function start(heard: (name: string, data: string) => void): void {
  worker = new Worker("studio.js", { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    if ("event" in data) {
      if (data.event === "hello") {
        isReady = true;
        settle();
      }
      if (data.event === "connection" && data.data === "broken") giveUp(new Error("Python did not start"));
      heard(data.event, data.data);
      return;
    }
    const { id, status, headers, body } = data;
    waiting.get(id)?.answer(new Response(status === 204 ? null : body, { status, headers }));
    waiting.delete(id);
  };
  worker.onerror = (event) => {
    giveUp(new Error(event.message));
    heard("connection", "broken");
  };
  for (const asked of early.splice(0)) worker.postMessage(asked);
}

function giveUp(why: Error): void {
  broken = why;
  settle();
  for (const { fail } of waiting.values()) fail(why);
  waiting.clear();
}

const early: Asked[] = []; // questions from before there was a worker

/** The answer to a question, as `fetch` would give it. */
export async function askAlone(method: string, path: string, body: Blob | string | null): Promise<Response> {
  if (!isReady && method === "GET") {
    if (path === "home") return fetch("home.json");
    const empty = EMPTY[path];
    if (empty) return new Response(empty);
  }
  const bytes = await new Response(body).arrayBuffer();
  const asked: Asked = { id: ++last, method, path, body: bytes };
  return new Promise((answer, fail) => {
    if (broken) return fail(broken);
    waiting.set(asked.id, { answer, fail });
    if (worker) worker.postMessage(asked);
    else early.push(asked);
  });
}

/** The picture of a card; the site has those of the library as files. */
export async function pictureAlone(path: string): Promise<string> {
  const place = new URLSearchParams(path.split("?")[1]).get("place") ?? "";
  const [where, ...name] = place.split("/");
  if (where === "library") return `pictures/${name.join("/")}.svg`;
  const svg = await (await askAlone("GET", path, null)).text();
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
