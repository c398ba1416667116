"""Reads Delta tables with every engine that this Python has.

It compares each table with the lake, and each version between the engines.

    npx cardlake export --home HOME --to DROP --backfill --format delta
    python test/warehouse/readers/readDelta.py HOME DROP [ENGINE...]

Engines: deltalake, polars (with deltalake), chdb, duckdb (with duckdb-extension-delta of the same
version), pyspark (4.0). Exits with 1 when one differs.
"""

import glob
import json
import os

from compareTables import compare, drop, duckdb_with
from sparkSession import load_table


def deltalake(table, version):
    from deltalake import DeltaTable

    return DeltaTable(f"{drop}/{table}", version=version).to_pyarrow_table()


def polars(table, version):
    import polars as pl

    return pl.scan_delta(f"{drop}/{table}", version=version).collect().to_arrow()


def chdb(table, version):
    os.chdir(drop)  # chDB reads nothing outside this folder
    import chdb as engine

    travel = "" if version is None else f" settings delta_lake_snapshot_version = {version}"
    return engine.query(f"select * from deltaLakeLocal('{drop}/{table}'){travel}", "ArrowTable")


def duckdb(table, version):
    travel = "" if version is None else f", version = {version}"
    found = duckdb_with("delta").sql(f"from delta_scan('{drop}/{table}'{travel})").arrow()
    return found.read_all() if hasattr(found, "read_all") else found


def pyspark(table, version):
    return load_table(drop, table, **({} if version is None else {"versionAsOf": version})).toArrow()


def versions_of(table):
    """A table's versions with the rows that the statistics of their files count."""
    files, versions = {}, []
    for version, path in enumerate(sorted(glob.glob(f"{drop}/{table}/_delta_log/*.json"))):
        for action in map(json.loads, open(path)):
            if "remove" in action:
                del files[action["remove"]["path"]]
            if "add" in action:
                files[action["add"]["path"]] = json.loads(action["add"]["stats"])["numRecords"]
        versions.append((version, sum(files.values())))
    return versions[1:]


if __name__ == "__main__":
    compare((deltalake, polars, chdb, duckdb, pyspark), versions_of)
