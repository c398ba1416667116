"""Reads a DuckLake with DuckDB.

It compares each table with the lake, and each snapshot's rows with the catalogue's counts.

    npx cardlake export --home HOME --to DROP --backfill --format ducklake
    python test/warehouse/readers/readDuckLake.py HOME DROP

Needs pyarrow and duckdb, with duckdb-extension-ducklake and duckdb-extension-sqlite of its version.
Exits with 1 when one differs.
"""

import sqlite3

from compareTables import compare, drop, duckdb_with

catalogue = f"{drop}/ducklake.sqlite"
attached = False


def duckdb(table, snapshot):
    global attached
    session = duckdb_with("ducklake", "sqlite")
    if not attached:
        session.execute(f"attach 'ducklake:sqlite:{catalogue}' as lake (read_only)")
        attached = True
    travel = "" if snapshot is None else f" at (version => {snapshot})"
    found = session.sql(f"from lake.{table}{travel}").arrow()
    return found.read_all() if hasattr(found, "read_all") else found


def snapshots_of(table):
    """Snapshots that changed a table, with the rows that its files then count."""
    of_table = f"(select table_id from ducklake_table where table_name = '{table}')"
    return sqlite3.connect(catalogue).execute(
        f"""select snapshot_id, (
              select coalesce(sum(record_count), 0) from ducklake_data_file
              where table_id = {of_table} and begin_snapshot <= snapshot_id
                and (end_snapshot is null or end_snapshot > snapshot_id))
            from ducklake_snapshot
            where snapshot_id in (select begin_snapshot from ducklake_data_file where table_id = {of_table})
               or snapshot_id in (select end_snapshot from ducklake_data_file where table_id = {of_table})
            order by snapshot_id"""
    ).fetchall()


if __name__ == "__main__":
    compare((duckdb,), snapshots_of)
