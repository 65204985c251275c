// Events from the server: the progress of runs, puzzles saved in other tabs, and whether the server answers at all. A
// broken connection is made again, as often as it takes.

import { isAlone, listenAlone } from "./alone";
import { authorization, onLost } from "./api";
import { PROTOCOL, type DesignData, type HelloData, type RunData, type Saved } from "./messages";

/**
 * The connection to the server: none; one that refuses our token, since the server was started again; one that speaks
 * another version's messages. Without a server: Python starts; it cannot; another tab has it.
 */
export type Connection = "up" | "lost" | "token" | "version" | "starting" | "broken" | "elsewhere";

interface Hear {
  run: (run: RunData) => void;
  design: (design: DesignData) => void;
  saved: (saved: Saved) => void;
  /** The connection has changed; what happened while it was not up is not told again. */
  connection: (now: Connection) => void;
}

/** An event by its name, and its message as JSON. */
type Event = readonly [name: string, data: string];

const RETRY = 1000; // milliseconds until a stream that ended is asked for again
const SILENCE = 45_000; // milliseconds without a sign of life; the server gives one every 15 seconds

/**
 * Listen until the returned function is called.
 *
 * A browser has six connections to a server, so of all tabs one has the stream and tells the others;
 * when it is closed, the next one takes over.
 */
export function listen(hear: Hear): () => void {
  const leaving = new AbortController();
  const others = new BroadcastChannel("events");
  let stream: AbortController | null = null; // of the tab that has it
  const heard = ([name, data]: Event) => {
    if (name === "connection") hear.connection(data as Connection);
    if (name === "run") hear.run(JSON.parse(data) as RunData);
    if (name === "design") hear.design(JSON.parse(data) as DesignData);
    if (name === "saved") hear.saved(JSON.parse(data) as Saved);
    if (name === "again") stream?.abort();
  };
  if (isAlone) {
    others.close();
    // The worker comes with the page, so it speaks the same messages.
    return listenAlone((name, data) => heard(name === "hello" ? ["connection", "up"] : [name, data]));
  }
  const tell = (event: Event) => {
    heard(event);
    others.postMessage(event);
  };
  const lead = async () => {
    while (!leaving.signal.aborted) {
      stream = new AbortController();
      const ended = await follow(tell, stream, leaving.signal).catch((): Connection => "lost");
      if (leaving.signal.aborted) return;
      tell(["connection", ended]);
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  };
  others.onmessage = ({ data }) => heard(data as Event);
  // A question that was not answered: the stream, if it does not know yet, is to find out.
  onLost(() => {
    hear.connection("lost");
    tell(["again", ""]);
  });
  // Only loopback addresses have locks; by another, each tab has a stream of its own.
  const led = "locks" in navigator ? navigator.locks.request("events", { signal: leaving.signal }, lead) : lead();
  led.catch(() => {});
  return () => {
    leaving.abort();
    others.close();
  };
}

/** One stream of server-sent events, to its end, and what that means. An EventSource could not send the token. */
async function follow(
  tell: (event: Event) => void,
  stream: AbortController,
  leaving: AbortSignal,
): Promise<Connection> {
  const signal = AbortSignal.any([stream.signal, leaving]);
  const response = await fetch("api/events", { headers: authorization(), signal });
  if (response.status === 403) return "token";
  if (!response.ok || !response.body) return "lost";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const silent = setTimeout(() => stream.abort(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(silent));
    if (done) return "lost";
    const events = (rest + value).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? [];
      if (!name || !data) continue;
      if (name === "hello") tell(["connection", connectionOf(JSON.parse(data) as HelloData)]);
      else tell([name, data]);
    }
  }
}

const connectionOf = ({ protocol }: HelloData): Connection => (protocol === PROTOCOL ? "up" : "version");
