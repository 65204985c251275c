// A motion made ready to be drawn: at any time, and drawn apart by any amount, where everything is, what to
// look at, and what it stands on. The studio and the pages to send ask here, so they show the same.

import { exploded } from "./explode";
import { boxOf, type Form } from "./form";
import { boxingOf, floorAt, floorsOf, frameAt, framesOf } from "./frames";
import { momentAt, type Pose } from "./motion";
import { middleOf, WORLD, type Matrix } from "../vector";

/** Forms are where the bodies lie at first; frames are along the axes. */
export function stagingOf(forms: readonly Form[], poses: readonly Pose[], axes: Matrix) {
  const [standing, seen] = [boxingOf(forms, WORLD), boxingOf(forms, axes)];
  const middles = forms.map((form) => middleOf(boxOf(form, WORLD)));
  const drawn = (by: number) => {
    const apart = exploded(poses, middles, by);
    return { by, apart, frames: framesOf(seen, apart), floors: floorsOf(standing, apart) };
  };
  let now = drawn(0);
  return (time: number, by: number) => {
    if (by !== now.by) now = drawn(by);
    const { apart, frames, floors } = now;
    return {
      ...momentAt(apart, time),
      frame: frameAt(frames, apart, time),
      floor: floorAt(standing, floors, apart, time),
    };
  };
}
