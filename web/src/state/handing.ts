// Files that the page makes.

import { words } from "../words";
import { notify } from "./notices";

/** Put a file among the browser's downloads. */
export function handOver(file: File): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  notify(words.export.made(file.name));
}
