// A moment of joy: confetti in the colours of the pieces falls over the picture. People who want no motion see none.

const HOW_MANY = 70;
const cheered = new WeakSet<HTMLElement>(); // while it falls

export function celebrate(over: HTMLElement, pieces: readonly { readonly colour: string }[]): void {
  if (cheered.has(over) || !pieces.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  cheered.add(over);
  const layer = document.createElement("div");
  layer.setAttribute("aria-hidden", "true");
  layer.style.cssText = "position: absolute; inset: 0; overflow: hidden; pointer-events: none";
  over.append(layer);
  const { clientWidth: width, clientHeight: height } = over;
  const falls = Array.from({ length: HOW_MANY }, (_, n) => {
    const bit = document.createElement("i");
    const [x, drift, turns] = [Math.random() * width, (Math.random() - 0.5) * 160, 360 * (1 + 2 * Math.random())];
    bit.style.cssText = `position: absolute; top: -16px; width: 9px; height: 9px; border-radius: 2px;
      left: ${x}px; background: ${pieces[n % pieces.length]!.colour}`;
    layer.append(bit);
    const end = { transform: `translate(${drift}px, ${height + 24}px) rotate3d(1, 1, 0.4, ${turns}deg)`, opacity: 0.7 };
    return bit.animate([{ transform: "none", opacity: 1 }, end], {
      duration: 1500 + 1200 * Math.random(),
      delay: 400 * Math.random(),
      easing: "cubic-bezier(0.3, 0.1, 0.7, 1)",
      fill: "both",
    }).finished;
  });
  void Promise.allSettled(falls).then(() => {
    layer.remove();
    cheered.delete(over);
  });
}
