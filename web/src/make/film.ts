// Filming the stage: its frames are copied onto a background, and the browser encodes them as they come.

import { copied, type Stage } from "../stage/stage";

export interface FilmKind {
  readonly suffix: ".mp4" | ".webm";
  readonly type: string;
}

const KINDS: readonly FilmKind[] = [
  { suffix: ".mp4", type: "video/mp4;codecs=avc1.640028" },
  { suffix: ".mp4", type: "video/mp4" },
  { suffix: ".webm", type: "video/webm;codecs=vp9" },
  { suffix: ".webm", type: "video/webm" },
];
const FRAMES = 30; // a second
const PATIENCE = 5; // seconds, for the first frame
const BITS = 8_000_000; // a second

/** What the browser can encode, the first of each suffix. */
export function filmKinds(canEncode: (type: string) => boolean): FilmKind[] {
  const able = KINDS.filter(({ type }) => canEncode(type));
  return able.filter(({ suffix }, at) => able.findIndex((kind) => kind.suffix === suffix) === at);
}

/** Whether the browser can encode a type of film. */
export const canFilm = (type: string) =>
  "MediaRecorder" in window && "captureStream" in HTMLCanvasElement.prototype && MediaRecorder.isTypeSupported(type);

/** Film the stage from now on; `stop` ends the film and hands it over. */
export function film(stage: Stage, { type }: FilmKind, background: string): { stop: () => Promise<Blob> } {
  const paper = copied(stage.canvas, background);
  const stream = paper.captureStream(FRAMES);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const size = [paper.width, paper.height] as const; // a film keeps its size, whatever the window does
  const end = stage.onframe(() => {
    if (stage.canvas.width === size[0] && stage.canvas.height === size[1]) copied(stage.canvas, background, paper);
  });
  recorder.start(1000);
  /** Offer what is seen now until the encoder has taken some of it: a film that is stopped at once has a frame. */
  async function begun(): Promise<void> {
    for (let frame = 0; frame < PATIENCE * FRAMES && !parts.some(({ size }) => size); frame++) {
      if (recorder.state !== "recording") return;
      paper.getContext("2d")?.drawImage(paper, 0, 0);
      recorder.requestData();
      await new Promise((resolve) => setTimeout(resolve, 1000 / FRAMES));
    }
  }
  return {
    stop: async () => {
      await begun();
      return new Promise((resolve, reject) => {
        end();
        recorder.onerror = () => reject(new Error("the browser could not encode the film"));
        recorder.onstop = () => {
          for (const track of stream.getTracks()) track.stop();
          resolve(new Blob(parts, { type }));
        };
        recorder.stop();
      });
    },
  };
}
