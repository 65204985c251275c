"""Meshes: closed surfaces of triangles, in millimetres, as every printing format wants them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed surface; its triangles run counterclockwise seen from outside."""

    points: NDArray[np.float64]  # one row (x, y, z) a point, in millimetres
    triangles: NDArray[np.int32]  # one row a triangle: three numbers of points
    name: str = ""
    colour: str = "#808080"

    @property
    def volume(self) -> float:
        """In cubic millimetres."""
        a, b, c = (self.points[self.triangles[:, i]] for i in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)

    @property
    def normals(self) -> NDArray[np.float64]:
        """The unit normal of each triangle, pointing outwards; 0 for a triangle without area."""
        a, b, c = (self.points[self.triangles[:, i]] for i in range(3))
        normals: NDArray[np.float64] = np.cross(b - a, c - a)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        return normals / np.where(lengths > 0, lengths, 1)

    def shifted(self, by: tuple[float, float, float] | NDArray[np.float64]) -> "Mesh":
        """The mesh moved by a vector in millimetres."""
        return replace(self, points=self.points + np.asarray(by))
