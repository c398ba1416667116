"""Loads a drop into DuckDB and Postgres in two parts, builds and tests dbt's models there, and compares the marts with the lake.

    npx cardlake export --home HOME --to DROP --backfill
    PGHOST=... PGPORT=... PGUSER=... python test/warehouse/readers/runDbt.py HOME DROP [PRODUCTS]

Needs dbt-duckdb, dbt-postgres and psql; run it in the folder of Cardlake. Price series are compared for as many
products, 60, and for every one whose id passed to another. Both databases must not have a schema `cardlake` yet.
Exits with 1 when something differs.
"""

import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal, InvalidOperation

home, drop = sys.argv[1:3]
os.environ["CARDLAKE_HOME"] = home
most = int(sys.argv[3]) if len(sys.argv) > 3 else 60
cardlake = ["node", "pipelines/start.mjs"]
work = tempfile.mkdtemp(prefix="cardlake-dbt-")
warehouse = f"{work}/warehouse.duckdb"
dbt = os.path.join(os.path.dirname(sys.executable), "dbt")


def run(command, text=None, allowed=(0,)):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(command)[:200]}: {done.stderr[:3000]}{done.stdout[-3000:]}")
    return done.stdout


def value(one):
    """Numbers by their value: Postgres prints 20 where DuckDB prints 20.0."""
    if one is None or isinstance(one, bool):
        return one
    try:
        return format(Decimal(str(one)).normalize(), "f")
    except InvalidOperation:
        return one


def rows_of(text):
    return sorted(tuple((name, value(one)) for name, one in row.items()) for row in json.loads(text or "[]"))


def in_lake(sql):
    return rows_of(run([*cardlake, "query", "--home", home, "--json", sql]))


def in_duckdb(sql):
    import duckdb

    with duckdb.connect(warehouse) as session:
        session.execute("set timezone = 'UTC'")
        return rows_of(session.execute(f"select coalesce(json_group_array(r), '[]') from ({sql}) r").fetchone()[0])


def in_postgres(sql):
    return rows_of(run(["psql", "-At", "-c", f"select coalesce(json_agg(r), '[]') from ({sql}) r"]))


def script(of, *more):
    return run([*cardlake, "export", "--to", drop, "--sql", of, *more])


def load():
    """The days until the middle one first, and the rest by what the warehouse remembers of them."""
    import duckdb

    days = [dict(row)["day"] for row in in_lake("select distinct day::varchar as day from nights")]
    first = ["--until", sorted(days)[len(days) // 2]]
    loaded = f"{work}/loaded.csv"
    rest = ["--since", "auto", "--loaded", loaded]
    with duckdb.connect(warehouse) as session:
        session.execute(script("duckdb", *first))
        session.execute(f"copy cardlake.cardlake_loaded to '{loaded}' (header)")
        session.execute(script("duckdb", *rest))
    psql = ["psql", "-q", "-v", "ON_ERROR_STOP=1"]
    run([*psql, "-f", "-"], script("postgres", *first))
    with open(loaded, "w") as file:
        file.write(run([*psql, "-c", "copy cardlake.cardlake_loaded to stdout (format csv, header)"]))
    run([*psql, "-f", "-"], script("postgres", *rest))


def build():
    run([*cardlake, "export", "--to", drop, "--dbt", work])
    profile = {
        "duckdb": {"type": "duckdb", "path": warehouse, "schema": "main", "threads": 1},
        "postgres": {
            "type": "postgres",
            "host": os.environ["PGHOST"],
            "port": int(os.environ.get("PGPORT", 5432)),
            "user": os.environ["PGUSER"],
            "password": os.environ.get("PGPASSWORD", ""),
            "dbname": os.environ.get("PGDATABASE", os.environ["PGUSER"]),
            "schema": "public",
            "threads": 2,
        },
    }
    with open(f"{work}/profiles.yml", "w") as file:
        json.dump({"cardlake": {"target": "duckdb", "outputs": profile}}, file)
    with open(f"{work}/dbt_project.yml", "w") as file:
        json.dump({"name": "market", "version": "1.0.0", "profile": "cardlake", "model-paths": ["models"], "test-paths": ["tests"]}, file)
    for target in profile:
        told = run([dbt, "build", "--project-dir", work, "--profiles-dir", work, "--target", target])
        print(f"dbt build in {target}: {told.strip().splitlines()[-1][-60:]}")
        # The readings of a home that was made by hand are old, and then dbt exits with 1.
        fresh = run([dbt, "source", "freshness", "--project-dir", work, "--profiles-dir", work, "--target", target], None, (0, 1))
        print(f"  freshness: {[line.split('] ')[-1].strip()[11:] for line in fresh.splitlines() if 'freshness of' in line and 'START' not in line]}")


def sql_time(name):
    return {
        in_lake: f"strftime({name}, '%Y-%m-%dT%H:%M:%S.%fZ') as {name}",
        in_duckdb: f"strftime({name}, '%Y-%m-%dT%H:%M:%S.%fZ') as {name}",
        in_postgres: f"""to_char({name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as {name}""",
    }


SERIES = "game_id, day::varchar as day, product_id, finish, is_listed, {source}price_source, currency, low, mid, high, market_value, state"
MOVES = "game_id, product_id, name, expansion_code, finish, is_listed, {source}price_source, currency, {old}old_value, {new}new_value, {change}value_change, {percent}percent_change, listing_count, is_outlier, {before}, {at}, days_between"
VALUES = "game_id, expansion_id, code, name, {source}price_source, currency, value, dearest, priced, cards, percent_priced"
LEVELS = "game_id, {expansion}expansion_id, day::varchar as day, {source}price_source, currency, value, cards, like_for_like, compared"

reused = "select distinct product_id from reused_ids"
some = f"select product_id from (select distinct product_id from product_history order by hash(product_id) limit {most})"


def questions():
    """Mart, columns in the lake, in the mart, where the lake answers, and which rows of the mart."""
    lake_names = {"source": "source as "}
    no_names = {"source": ""}
    ids = [row[0][1] for row in in_lake(f"{reused} union {some}")]
    series = SERIES.replace("is_listed", "case when state <> 'not read' then is_listed end as is_listed").format(**lake_names)
    answers = [
        f"select {series} from price_series({one}, source_name := '{source}')" for one in ids for source in ("sourceEur", "sourceUsd")
    ]
    known = [row for start in range(0, len(answers), 40) for row in in_lake(" union all ".join(answers[start : start + 40]))]
    yield "cardlake_price_series", sorted(known), lambda ask: ask(
        f"select {SERIES.format(**no_names)} from cardlake_price_series where product_id in ({', '.join(ids)})"
    )

    def moves(ask, **names):
        return MOVES.format(before=sql_time("seen_before")[ask], at=sql_time("seen_at")[ask], **names)

    renamed = {"source": "source as ", "old": "old as ", "new": "new as ", "change": "change as ", "percent": "percent as "}
    yield "cardlake_movers", in_lake(f"select {moves(in_lake, **renamed)} from movers()"), lambda ask: ask(
        f"select {moves(ask, **dict.fromkeys(renamed, ''))} from cardlake_movers"
    )
    yield "cardlake_set_values", in_lake(f"select {VALUES.format(**lake_names)} from set_values"), lambda ask: ask(
        f"select {VALUES.format(**no_names)} from cardlake_set_values"
    )
    sets = [dict(row)["expansion_id"] for row in in_lake("select distinct expansion_id from expansion_history")]
    levels = " union all ".join(
        f"select {LEVELS.format(expansion=f'{one}::bigint as ', **lake_names)} from set_value_series({one})" for one in sets
    )
    yield "cardlake_set_value_series", in_lake(levels), lambda ask: ask(
        f"select {LEVELS.format(expansion='', **no_names)} from cardlake_set_value_series"
    )


load()
build()
differs = False
for mart, known, answer in questions():
    for ask in (in_duckdb, in_postgres):
        found = answer(ask)
        first = next((pair for pair in zip(known, found) if pair[0] != pair[1]), None)
        is_equal = found == known and len(known) > 0
        print(f"{mart} {ask.__name__}: {len(found)} rows, {'equal' if is_equal else f'DIFFERENT ({len(known)} in the lake): {first}'}")
        differs = differs or not is_equal
sys.exit(1 if differs else 0)
