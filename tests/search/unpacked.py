"""What searches pack, as lists of names."""

from kumitate.model.table import PackedRows, unpack


def unpacked(table: tuple[bytes, int, int] | PackedRows) -> list[list[int]]:
    packed = PackedRows(*table)
    return [unpack(packed.row(row), packed.width) for row in range(packed.rows)]
