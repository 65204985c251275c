// Pictures, drawn by the server. Those of shapes are asked for once: shapes are values, so one that
// changed is another one. Those of cards are kept by the browser.

import type { Attachment } from "svelte/attachments";
import * as api from "../api";
import type { Card, ShapeData } from "../messages";

const addressOf = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Shows a card's picture in an image once that comes into view. */
export const pictured = (card: Card): Attachment<HTMLImageElement> => (image) => {
  const watcher = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    watcher.disconnect();
    api.cardPicture(card).then((svg) => (image.src = addressOf(svg)), () => {});
  });
  watcher.observe(image);
  return () => watcher.disconnect();
};

const known = new WeakMap<ShapeData, Map<string, Promise<string>>>();

/** The address of a shape's picture in some colour ("" for its own). */
export function pictureOf(grid: string, shape: ShapeData, colour: string): Promise<string> {
  const ours = known.get(shape) ?? new Map<string, Promise<string>>();
  known.set(shape, ours);
  const asked = ours.get(colour) ?? api.picture({ grid, shape, colour }).then(addressOf);
  ours.set(colour, asked);
  asked.catch(() => ours.delete(colour));
  return asked;
}
