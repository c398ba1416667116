"""Reads a drop with every engine that this Python has.

It compares each table with the lake, row by row and digit by digit.

    npx cardlake export --home HOME --to DROP --backfill
    python test/warehouse/readers/readDrop.py HOME DROP [ENGINE...]

Engines: pyarrow, polars, datafusion, chdb, pyspark, duckdb. All of them need pyarrow.
Exits with 1 when one differs.
"""

import datetime
import decimal
import glob
import importlib
import importlib.metadata
import json
import os
import subprocess
import sys

import pyarrow as pa

home, drop, *wanted = sys.argv[1:]
cardlake = os.path.join(os.path.dirname(__file__), "../../../pipelines/start.mjs")

# Tables of which the lake has every night; of all others it has only the last one.
EVERY_NIGHT = {
    "source_prices": "from source_price_history where origin = 'night'",
    "marketplace_prices": "from marketplace_price_history",
    "changes": "from changes",
    "price_moves": "from price_moves",
    "reconciliations": "from reconciliations",
    "deployments": "from deployments",
    "deployment_changes": "from deployment_changes",
    "readings": "from readings",
    "reused_ids": "select * replace (array_to_string(changed, ',') as changed) from reused_ids",
    "fx_rates": "select '_all' as game_id, * from fx_rates where day >= (select min(day) - 6 from nights)",
    "price_sources": "select '_all' as game_id, * from price_sources",
    "nights": "select *, true as counts, lag(snapshot) over (partition by game_id order by place) as follows from nights",
}
LAST_NIGHT = {
    "expansion_languages": "select game_id, expansion_id, unnest(languages) as language,"
    " generate_subscripts(languages, 1) as position from expansions"
}
# What a drop has and the lake's table lacks.
OWN_COLUMNS = {"snapshot_date", "snapshot_id", "read_at"}
NOT_IN_HISTORY = {"source_prices": {"is_listed"}, "marketplace_prices": {"is_listed"}}


def query(sql):
    answer = subprocess.run(
        ["node", cardlake, "query", "--home", home, "--json", sql], check=True, capture_output=True, text=True
    )
    return [list(row.values()) for row in json.loads(answer.stdout)]


def files(table):
    found = sorted(glob.glob(f"{drop}/{table}/v=1/game=*/dt=*/*.parquet"))
    assert found, f"no files of {table}"
    return found


def pyarrow(paths):
    import pyarrow.parquet as parquet

    return pa.concat_tables([parquet.ParquetFile(path).read() for path in paths])


def polars(paths):
    import polars as pl

    return pl.read_parquet(paths, hive_partitioning=False).to_arrow()


def datafusion(paths):
    from datafusion import SessionContext

    context = SessionContext()
    return pa.concat_tables([context.read_parquet(path).to_arrow_table() for path in paths])


def chdb(paths):
    import chdb as engine

    table = os.path.dirname(os.path.dirname(os.path.dirname(paths[0])))
    return engine.query(f"select * from file('{table}/game=*/dt=*/*.parquet', 'Parquet')", "ArrowTable")


spark_session = None


def pyspark(paths):
    global spark_session
    from pyspark.sql import SparkSession

    if spark_session is None:
        builder = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC")
        spark_session = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", "2g").getOrCreate()
        spark_session.sparkContext.setLogLevel("ERROR")
    return spark_session.read.parquet(*paths).toArrow()


def duckdb(paths):
    import duckdb as engine

    listed = ", ".join(f"'{path}'" for path in paths)
    found = engine.sql(f"from read_parquet([{listed}], hive_partitioning = false)")
    return found.arrow().read_all() if hasattr(found.arrow(), "read_all") else found.arrow()


def text(value):
    """A value as exact text: decimals keep their places, times are UTC."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        utc = value.replace(tzinfo=datetime.timezone.utc) if value.tzinfo is None else value
        return utc.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert isinstance(value, (int, str, decimal.Decimal, datetime.date)), f"{type(value)}: {value}"
    return str(value)


def columns_of(table, names):
    return zip(*([text(value) for value in table.column(name).to_pylist()] for name in names))


def rows_of(read, name, names, nights):
    """Rows of the nights that the lake has of a table."""
    if name in ("fx_rates", "price_sources") or "snapshot_id" not in read.column_names:
        return sorted(columns_of(read, names), key=repr)
    rows = zip(columns_of(read, ["game_id", "snapshot_id"]), columns_of(read, names))
    if name == "nights":
        kept = [row for (_, row), counts in zip(rows, read.column("counts").to_pylist()) if counts]
    elif name in EVERY_NIGHT:
        kept = [row for _, row in rows]
    else:
        last = {}
        for game, night, counts in columns_of(nights, ["game_id", "snapshot_id", "counts"]):
            if counts == "true":
                last[game] = max(night, last.get(game, ""))
        kept = [row for (game, night), row in rows if night == last[game]]
    return sorted(kept, key=repr)


def expected(contract):
    """Rows that the lake has of a table, and the columns that both have."""
    name = contract["table"]
    left = OWN_COLUMNS | NOT_IN_HISTORY.get(name, set())
    both = [column for column in contract["columns"] if column["name"] not in left]
    texts = []
    for column in both:
        lake = f'"{column["lakeColumn"]}"'
        is_time = column["type"] == "TIMESTAMP"
        texts.append(f"strftime({lake}::timestamptz, '%Y-%m-%dT%H:%M:%S.%fZ')" if is_time else f"replace({lake}::varchar, chr(0), chr(65533))")
    source = EVERY_NIGHT.get(name) or LAST_NIGHT.get(name) or f"from {name}"
    selected = ", ".join(f"{one} as c{place}" for place, one in enumerate(texts))
    found = query(f"select {selected} from ({source})")
    return sorted((tuple(row) for row in found), key=repr), [column["name"] for column in both]


def main():
    contracts = [json.load(open(path)) for path in sorted(glob.glob(f"{drop}/*/contract.json"))]
    known = {contract["table"]: expected(contract) for contract in contracts}
    engines = {one.__name__: one for one in (pyarrow, polars, datafusion, chdb, pyspark, duckdb)}
    differs = False
    for engine, read in engines.items():
        if wanted and engine not in wanted:
            continue
        if importlib.util.find_spec(engine) is None:
            print(f"{engine}: not installed")
            continue
        version = getattr(importlib.import_module(engine), "__version__", None) or importlib.metadata.version(engine)
        compared, faults = 0, []
        for contract in contracts:
            name = contract["table"]
            rows, columns = known[name]
            try:
                nights = read(files("nights"))
                found = rows_of(read(files(name)), name, columns, nights)
                if found != rows:
                    faults.append(f"{name}: {len(found)} rows against {len(rows)} of the lake, {first_difference(found, rows)}")
            except Exception as error:  # an engine that cannot read a table is what this looks for
                faults.append(f"{name}: {error!r}"[:500])
            compared += len(rows)
        print(f"{engine} {version}: {len(contracts)} tables, {compared} rows, {'equal' if not faults else 'DIFFERENT'}")
        for fault in faults:
            print(f"  {fault}")
        differs = differs or bool(faults)
    sys.exit(1 if differs else 0)


def first_difference(found, rows):
    for ours, theirs in zip(found, rows):
        if ours != theirs:
            return f"first {ours} against {theirs}"
    return "else equal"


if __name__ == "__main__":
    main()
