// What runs in an exported gallery, and on a site: puzzles as cards. Built into one file, gallery.js, which kumitate
// puts into the page. A gallery holds all that it shows; a site has files, and a service worker that keeps them.

import { coreIn } from "../hand/core";
import { dataOf, mountCards, type Content } from "../cards/cards";
import type { FoundCard } from "../messages";
import { keepSite } from "../offline";
import { make } from "../player/make";
import { said } from "../words/cards";

interface Gallery {
  readonly cards: readonly FoundCard[];
  readonly contents?: readonly string[]; // packed, in the order of the cards; of a site none
  readonly total: number;
  readonly core?: string; // packed
  readonly studio?: readonly string[]; // of a site that has one: where it opens the puzzles, in the order of the cards
}

/** Show the puzzles of a collection; #99 in the address opens the one of sample 99. */
function mountGallery(element: HTMLElement, { cards, contents, total, core, studio }: Gallery): void {
  const pictures = new Map<FoundCard, Promise<string>>();
  const { show } = mountCards(element, cards, {
    total,
    core: coreIn(core),
    picture: (card) => {
      if (!contents) return `pictures/${card.number}.svg`;
      const known = pictures.get(card) ?? unpacked(card.picture).then(dataOf);
      pictures.set(card, known);
      return known;
    },
    content: async (card) => {
      if (contents) return JSON.parse(await unpacked(contents[card.number - 1]!)) as Content;
      return (await (await fetch(`puzzles/${card.number}.json`)).json()) as Content;
    },
    ...(studio && {
      actions: (card) => [
        make("a", { class: "button", href: studio[card.number - 1]!, title: said.studioHint }, said.studio),
      ],
    }),
    addressOf: (card) => `#${card ? card.sample : ""}`,
  });
  const arrive = () => show(Number(location.hash.slice(1)) || null);
  addEventListener("hashchange", arrive);
  if (!contents) void keepSite().catch(() => {});
  arrive();
}

/** Text that was compressed and written in base64. */
async function unpacked(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

const [place, data] = [document.getElementById("gallery"), document.getElementById("data")];
if (place && data?.textContent) mountGallery(place, JSON.parse(data.textContent) as Gallery);
