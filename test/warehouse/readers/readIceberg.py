"""Reads Iceberg tables with every engine that this Python has.

It compares each table with the lake, and each snapshot between the engines.

    npx cardlake export --home HOME --to DROP --backfill --format iceberg
    python test/warehouse/readers/readIceberg.py HOME DROP [ENGINE...]

Engines: pyiceberg, polars, chdb, duckdb (with duckdb-extension-iceberg and duckdb-extension-avro of
the same version), pyspark (4.0). All of them need pyarrow and pyiceberg. Exits with 1 when one differs.
Where the tables are in a REST catalogue (namespace ICEBERG_NAMESPACE), polars and duckdb read the
metadata that it names, and chdb the last that lies there.
"""

import json
import os

from compareTables import compare, drop, duckdb_with
from sparkSession import NAMESPACE, load_table

address = json.load(open(f"{drop}/drop.json")).get("catalogue")


def open_table(table):
    """A table as pyiceberg opens it: in its REST catalogue, else by its files."""
    from pyiceberg.catalog import load_catalog
    from pyiceberg.table import StaticTable

    if address is not None:
        return load_catalog("rest", type="rest", uri=address).load_table(f"{NAMESPACE}.{table}")
    version = open(f"{drop}/{table}/metadata/version-hint.text").read()
    return StaticTable.from_metadata(f"{drop}/{table}/metadata/v{version}.metadata.json")


def metadata_of(table):
    """The metadata file that a REST catalogue names, for engines that do not ask the catalogue."""
    return open_table(table).metadata_location.removeprefix("file:")


def pyiceberg(table, snapshot):
    return open_table(table).scan(snapshot_id=snapshot).to_arrow()


def polars(table, snapshot):
    import polars as pl

    return pl.scan_iceberg(metadata_of(table), snapshot_id=snapshot).collect().to_arrow()


def chdb(table, snapshot):
    os.chdir(drop)  # chDB reads nothing outside this folder
    import chdb as engine

    travel = "" if snapshot is None else f" settings iceberg_snapshot_id = {snapshot}"
    return engine.query(f"select * from icebergLocal('{drop}/{table}'){travel}", "ArrowTable")


def duckdb(table, snapshot):
    place = f"{drop}/{table}" if address is None else metadata_of(table)
    travel = "" if snapshot is None else f", snapshot_from_id = {snapshot}"
    found = duckdb_with("avro", "iceberg").sql(f"from iceberg_scan('{place}'{travel})").arrow()
    return found.read_all() if hasattr(found, "read_all") else found


def pyspark(table, snapshot):
    return load_table(drop, table, **({} if snapshot is None else {"snapshot-id": snapshot})).toArrow()


def snapshots_of(table):
    """Ids of a table's snapshots with the rows that their own summaries count."""
    return [(one.snapshot_id, int(one.summary["total-records"])) for one in open_table(table).metadata.snapshots]


if __name__ == "__main__":
    compare((pyiceberg, polars, chdb, duckdb, pyspark), snapshots_of)
