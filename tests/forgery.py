"""Files of a store with other contents, and sums that are right all the same."""

import sqlite3
from pathlib import Path

from kumitate.store.sums import checksum


def forge(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for number, *row, _ in connection.execute(f"SELECT rowid, * FROM {table}").fetchall():
            values = (checksum(table, row), number)
            connection.execute(f"UPDATE {table} SET sum = ? WHERE rowid = ?", values)
    connection.commit()
    connection.close()
