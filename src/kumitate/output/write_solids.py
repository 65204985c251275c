"""Files of solids: pieces on print beds, an assembly, a box; and the bodies of a film in GLB."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kumitate.model.errors import PuzzleError
from kumitate.model.shape import Shape
from kumitate.output.order import Files, Order, pieces_of, scene_for, warn_of_strokes

if TYPE_CHECKING:
    from kumitate.output.make.plates import Plate
    from kumitate.output.scene import Scene
    from kumitate.output.solid.mesh import Mesh
    from kumitate.output.solid.print_options import PrintOptions


def _meshes(order: Order) -> list[Mesh]:
    """What is to be printed: a mesh for each thing, copies being the same mesh."""
    from kumitate.output.solid.boxes import box
    from kumitate.output.solid.joints import split
    from kumitate.output.solid.print_options import solid

    pieces = pieces_of(order)
    if not pieces:
        raise PuzzleError("there are no pieces to make")
    options = sized(order.options, [shape for shape, _, _ in pieces])
    if order.view == "box":
        if order.problem is None:
            raise PuzzleError("a box needs a goal, but the puzzle has no problem")
        return list(box(order.problem.goal, options))
    if options.label:
        warn_of_strokes(order)
    made: list[Mesh] = []
    for shape, count, colour in pieces:
        parts = split(shape, options) if order.split else [solid(shape, options)]
        made += [replace(part, colour=colour) for part in parts] * count
    return made


def sized(options: PrintOptions, shapes: Sequence[Shape]) -> PrintOptions:
    from kumitate.output.solid.print_options import unit_for

    return options if options.unit is not None else replace(options, unit=unit_for(shapes))


def _bodies(order: Order, scene: Scene) -> tuple[list[Mesh], PrintOptions]:
    """The bodies of a scene where they lie, and how they are made."""
    from kumitate.output.solid.placed_meshes import solids_of
    from kumitate.output.solid.print_options import solid

    shapes = [body.shape for body in scene.bodies]
    options = sized(order.options, shapes)
    if options.label:
        warn_of_strokes(order)
    if order.view == "pieces":
        raw = [solid(shape, options) for shape in shapes]
    else:
        raw = solids_of(order.assembly, options)
    return [
        replace(mesh, name=body.name, colour=body.colour)
        for mesh, body in zip(raw, scene.bodies, strict=True)
    ], options


def write_solids(order: Order) -> Files:
    """The assembly in one file, or plates of pieces, or a file for each piece."""
    files = batches(order)
    solids = [mesh for placed in files.values() for mesh, _ in placed]
    volume = sum(mesh.volume for mesh in solids) / 1000
    order.tell(f"{len(solids)} solid{'s' * (len(solids) != 1)}, {volume:.2f} cm³")
    return {
        ending: data
        for before, placed in files.items()
        for ending, data in _encoded(order, placed, before).items()
    }


def batches(order: Order) -> dict[str, Plate]:
    """The contents of each file, by the end of its name before the suffix; 3MF holds all plates."""
    from kumitate.output.make.plates import in_a_row, lay_out
    from kumitate.output.make.rectangles import BED
    from kumitate.output.scene import scene_of

    if order.view == "assembly":
        meshes, _ = _bodies(order, scene_of(order.assembly))
        return {"": [(mesh, (0.0, 0.0, 0.0)) for mesh in meshes]}
    meshes, bed = _meshes(order), order.bed or BED
    if order.each:
        different = list(dict.fromkeys(meshes))
        names = _distinct([mesh.name for mesh in different])
        return {
            f"-{name}": lay_out([mesh], bed, order.gap)[0]
            for name, mesh in zip(names, different, strict=True)
        }
    plates = lay_out(meshes, bed, order.gap)
    if order.suffix == ".3mf":
        return {"": in_a_row(plates, bed, order.gap)}
    if len(plates) == 1:
        return {"": plates[0]}
    return {f"-{number}": plate for number, plate in enumerate(plates, 1)}


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of pieces as parts of file names; those that are not unique are numbered."""
    plain = [re.sub(r"[^\w.-]+", "_", name) or "piece" for name in names]
    return [f"{name}-{n}" if plain.count(name) > 1 else name for n, name in enumerate(plain, 1)]


def _encoded(order: Order, placed: Plate, before: str) -> Files:
    from kumitate.output.formats import obj, openscad, stl, threemf

    meshes = [mesh.shifted(by) for mesh, by in placed]
    match order.suffix:
        case ".3mf":
            return {f"{before}.3mf": threemf.write(placed)}
        case ".stl":
            return {f"{before}.stl": stl.write(meshes)}
        case ".scad":
            return {f"{before}.scad": openscad.write(meshes)}
        case ".obj":
            shape, colours = obj.write(meshes, order.stem + before)
            return {f"{before}.obj": shape, f"{before}.mtl": colours}
    raise AssertionError(f"{order.suffix} is not a format of solids")


def write_glb(order: Order) -> Files:
    from kumitate.output.formats import gltf

    scene = scene_for(order)
    meshes, options = _bodies(order, scene)
    assert options.unit is not None
    return {".glb": gltf.write(scene, meshes, options.unit)}
