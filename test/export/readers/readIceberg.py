"""Reads Iceberg tables with every engine that this Python has: each table as the lake has it, each snapshot as all engines have it.

    npx cardlake export --home HOME --to DROP --backfill --format iceberg
    python test/export/readers/readIceberg.py HOME DROP [ENGINE...]

Engines: pyiceberg, polars, chdb, duckdb (with duckdb-extension-iceberg and duckdb-extension-avro of the same version), pyspark (with
ICEBERG_SPARK_JAR, the Iceberg runtime for its version). pyarrow and pyiceberg are needed by all of them. Exits with 1 when one differs.
"""

import json
import os

from compareTables import compare, drop, duckdb_with, spark_with


def metadata_of(table):
    version = open(f"{drop}/{table}/metadata/version-hint.text").read()
    return f"{drop}/{table}/metadata/v{version}.metadata.json"


def pyiceberg(table, snapshot):
    from pyiceberg.table import StaticTable

    return StaticTable.from_metadata(metadata_of(table)).scan(snapshot_id=snapshot).to_arrow()


def polars(table, snapshot):
    import polars as pl

    return pl.scan_iceberg(metadata_of(table), snapshot_id=snapshot).collect().to_arrow()


def chdb(table, snapshot):
    os.chdir(drop)  # it reads nothing outside
    import chdb as engine

    travel = "" if snapshot is None else f" settings iceberg_snapshot_id = {snapshot}"
    return engine.query(f"select * from icebergLocal('{drop}/{table}'){travel}", "ArrowTable")


def duckdb(table, snapshot):
    travel = "" if snapshot is None else f", snapshot_from_id = {snapshot}"
    found = duckdb_with("avro", "iceberg").sql(f"from iceberg_scan('{drop}/{table}'{travel})").arrow()
    return found.read_all() if hasattr(found, "read_all") else found


def pyspark(table, snapshot):
    reader = spark_with(os.environ["ICEBERG_SPARK_JAR"]).read.format("iceberg")
    return (reader if snapshot is None else reader.option("snapshot-id", snapshot)).load(f"{drop}/{table}").toArrow()


def snapshots_of(table):
    """Ids of a table's snapshots with the rows that their own summaries count."""
    metadata = json.load(open(metadata_of(table)))
    return [(one["snapshot-id"], int(one["summary"]["total-records"])) for one in metadata["snapshots"]]


if __name__ == "__main__":
    compare((pyiceberg, polars, chdb, duckdb, pyspark), snapshots_of)
