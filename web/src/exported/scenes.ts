// What runs in an exported page, and in a notebook: scenes to look at and to play. Built into one file, viewer.js,
// which kumitate puts into the page.

import { coreIn, type Core } from "../hand/core";
import { make } from "../player/make";
import { mount, type Scene } from "../player/viewer";

type Kit = NonNullable<Scene["kit"]>;

/** What kumitate writes into a page: steps are the same in all scenes that can be taken apart by hand. */
interface Page {
  readonly scenes: readonly {
    readonly title: string;
    readonly scene: Scene;
    readonly hand: boolean;
    readonly goal?: Kit["goal"];
  }[];
  readonly steps: NonNullable<Scene["steps"]>;
  readonly lattice: Kit["lattice"] | null; // the same in all scenes that can be put together by hand
  readonly core?: string; // packed
}

/** Show one of several scenes, with a row of buttons to choose it by. */
function mountSeveral(
  element: HTMLElement,
  scenes: readonly { title: string; scene: Scene }[],
  core: Core | null,
): void {
  const nav = make("nav", { "aria-label": "What to show" });
  const stage = make("div", { class: "scene" });
  let leave = () => {};
  const buttons = scenes.map(({ title, scene }) => {
    const button = make("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      leave();
      leave = mount(stage, scene, { keys: document, core });
      for (const other of buttons) other.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
    });
    return button;
  });
  nav.append(...buttons);
  nav.hidden = scenes.length < 2;
  element.append(nav, stage);
  buttons[0]?.click();
}

// ---- where it is ----

const [place, data] = [document.getElementById("viewer"), document.getElementById("data")];
if (place && data?.textContent) {
  const { scenes, steps, lattice, core } = JSON.parse(data.textContent) as Page;
  const whole = scenes.map(({ title, scene, hand, goal }) => ({
    title,
    scene: { ...scene, ...(hand ? { steps } : {}), ...(lattice && goal ? { kit: { lattice, goal } } : {}) },
  }));
  mountSeveral(place, whole, coreIn(core));
}

/** As anywidget wants a widget of a notebook. */
export default {
  render({ model, el }: { model: { get(name: "scene"): Scene }; el: HTMLElement }): () => void {
    const frame = make("div");
    frame.style.cssText = "height: 480px; overflow: hidden; border: 1px solid #8884; border-radius: 8px";
    el.append(frame);
    const leave = mount(frame, model.get("scene"));
    return () => {
      leave();
      frame.remove();
    };
  },
};
