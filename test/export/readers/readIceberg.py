"""Reads Iceberg tables with every engine that this Python has: each table as the lake has it, each snapshot as all engines have it.

    npx cardlake export --home HOME --to DROP --backfill --format iceberg
    python test/export/readers/readIceberg.py HOME DROP [ENGINE...]

Engines: pyiceberg, polars, chdb, duckdb (with duckdb-extension-iceberg and duckdb-extension-avro of the same version), pyspark (with
ICEBERG_SPARK_JAR, the Iceberg runtime for its version). pyarrow and pyiceberg are needed by all of them. Exits with 1 when one differs.
"""

import glob
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import sys

import readDrop
from readDrop import columns_of, expected, first_difference, rows_of, wanted

drop = os.path.abspath(readDrop.drop)
# The lake keeps what nights that were taken back said of the changelog; a drop does not.
OF_ALL_NIGHTS = {"deployments", "deployment_changes"}
TRAVELLED = ["products", "source_prices", "nights"]


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


duckdb_session = None


def duckdb(table, snapshot):
    global duckdb_session
    import duckdb as engine

    if duckdb_session is None:
        duckdb_session = engine.connect(config={"allow_unsigned_extensions": True})
        duckdb_session.execute("set timezone = 'UTC'")
        for name in ("avro", "iceberg"):
            package = os.path.dirname(importlib.util.find_spec(f"duckdb_extension_{name}").origin)
            (path,) = glob.glob(f"{package}/**/*.duckdb_extension", recursive=True)
            duckdb_session.execute(f"load '{path}'")
    travel = "" if snapshot is None else f", snapshot_from_id = {snapshot}"
    found = duckdb_session.sql(f"from iceberg_scan('{drop}/{table}'{travel})").arrow()
    return found.read_all() if hasattr(found, "read_all") else found


spark_session = None


def pyspark(table, snapshot):
    global spark_session
    from pyspark.sql import SparkSession

    if spark_session is None:
        builder = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC")
        builder = builder.config("spark.jars", os.environ["ICEBERG_SPARK_JAR"]).config("spark.driver.memory", "2g")
        spark_session = builder.config("spark.ui.enabled", "false").getOrCreate()
        spark_session.sparkContext.setLogLevel("ERROR")
    reader = spark_session.read.format("iceberg")
    return (reader if snapshot is None else reader.option("snapshot-id", snapshot)).load(f"{drop}/{table}").toArrow()


def snapshots_of(table):
    """Ids of a table's snapshots with the rows that their own summaries count."""
    metadata = json.load(open(metadata_of(table)))
    return [(one["snapshot-id"], int(one["summary"]["total-records"])) for one in metadata["snapshots"]]


def sum_of(read):
    rows = sorted(columns_of(read, read.column_names), key=repr)
    return hashlib.sha256(repr((read.column_names, rows)).encode()).hexdigest()


def main():
    contracts = [json.load(open(path)) for path in sorted(glob.glob(f"{drop}/*/contract.json"))]
    known = {contract["table"]: expected(contract) for contract in contracts}
    first_sums, differs = {}, False
    for read in (pyiceberg, polars, chdb, duckdb, pyspark):
        engine = read.__name__
        if wanted and engine not in wanted:
            continue
        if importlib.util.find_spec(engine) is None:
            print(f"{engine}: not installed")
            continue
        faults, compared, travelled = [], 0, 0
        for contract in contracts:
            name = contract["table"]
            rows, columns = known[name]
            if snapshots_of(name) == []:
                continue
            try:
                nights = read("nights", None)
                if name in OF_ALL_NIGHTS and not all(nights.column("counts").to_pylist()):
                    continue
                found = rows_of(read(name, None), name, columns, nights)
                if found != rows:
                    faults.append(f"{name}: {len(found)} rows against {len(rows)} of the lake, {first_difference(found, rows)}")
                for snapshot, count in snapshots_of(name) if name in TRAVELLED else []:
                    then = read(name, snapshot)
                    if then.num_rows != count or sum_of(then) != first_sums.setdefault((name, snapshot), sum_of(then)):
                        faults.append(f"{name} as of {snapshot}: {then.num_rows} rows of {count}, or other values")
                    travelled += 1
            except Exception as error:  # an engine that cannot read a table is what this looks for
                faults.append(f"{name}: {error!r}"[:500])
            compared += len(rows)
        told = "equal" if not faults else "DIFFERENT"
        print(f"{engine} {importlib.metadata.version(engine)}: {len(contracts)} tables, {compared} rows, {travelled} snapshots, {told}")
        for fault in faults:
            print(f"  {fault}")
        differs = differs or bool(faults)
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
