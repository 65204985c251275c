"""The C++ core as Python sees it (core/bindings.cpp); no numpy, so importing it costs nothing."""

from array import array

class Goal:
    def __init__(self, cells: array[int], accepts: array[int]) -> None: ...
    def fits(self, piece: array[int], kinds: array[int]) -> list[tuple[int, int, int]]: ...
