// Where right, front and up are, which the words for moves mean: three small pointers that turn with the view.

import { dot, type Matrix, type Vector } from "../vector";

const WAYS: readonly (readonly [string, Vector])[] = [
  ["right", [1, 0, 0]],
  ["front", [0, -1, 0]],
  ["up", [0, 0, 1]],
];
const LENGTH = 26;

export function createCompass() {
  const element = document.createElement("div");
  element.className = "compass";
  element.ariaHidden = "true";
  const drawn = WAYS.map(([name]) => `<g><line/><circle r="2.5"/><text>${name}</text></g>`);
  element.innerHTML = `<svg viewBox="-50 -50 100 100">${drawn.join("")}</svg>`;
  const pointers = [...element.querySelectorAll("g")].map((group) => [...group.children]);
  return {
    element,
    turn([right, up]: Matrix): void {
      for (const [n, [line, end, label]] of pointers.entries()) {
        const [, way] = WAYS[n]!;
        const [x, y] = [LENGTH * dot(way, right), -LENGTH * dot(way, up)];
        set(line!, { x2: x, y2: y });
        set(end!, { cx: x, cy: y });
        set(label!, { x: 1.5 * x, y: 1.6 * y + 3 });
      }
    },
  };
}

function set(element: Element, values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
}
