// Pictures, drawn by the server. Those of shapes are asked for once: shapes are values, so one that
// changed is another one. Those of cards are kept by the browser.

import type { Attachment } from "svelte/attachments";
import * as api from "../api";
import type { Card, ShapeData } from "../messages";

/** Once an image comes into view, `show` gets the address of a card's picture. */
export const pictured = (card: Card, show: (address: string) => void): Attachment => (image) => {
  let address = "";
  let left = false;
  const watcher = new IntersectionObserver(async ([entry]) => {
    if (!entry?.isIntersecting) return;
    watcher.disconnect();
    const picture = await api.cardPicture(card).catch(() => null);
    if (picture && !left) show((address = URL.createObjectURL(picture)));
  });
  watcher.observe(image);
  return () => {
    left = true;
    watcher.disconnect();
    URL.revokeObjectURL(address);
  };
};

const known = new WeakMap<ShapeData, Map<string, Promise<string>>>();

/** The address of a shape's picture in some colour ("" for its own). */
export function pictureOf(grid: string, shape: ShapeData, colour: string): Promise<string> {
  const ours = known.get(shape) ?? new Map<string, Promise<string>>();
  known.set(shape, ours);
  const asked = ours.get(colour) ?? api.picture({ grid, shape, colour }).then((svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`);
  ours.set(colour, asked);
  asked.catch(() => ours.delete(colour));
  return asked;
}
