"""Loads a drop into Postgres with the printed script, four times.

After each time it compares every table with the files, digit by digit.

    npx cardlake export --home HOME --to DROP --backfill
    CARDLAKE_HOME=HOME PGHOST=... PGUSER=... python test/warehouse/readers/loadPostgres.py DROP DAY

First every day, then every day again, then those from DAY on, then by --since auto what it lost: its rows of
DAY and the memory of them. The database must not have a schema `cardlake` yet. Needs psql; run it in the folder of Cardlake. Exits with 1 when something differs.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

drop, day = sys.argv[1:]
cardlake = ["node", "pipelines/start.mjs"]


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)[:200]}: {done.stderr[:2000]}")
    return done.stdout


def texts(columns, time):
    return ", ".join(
        f"coalesce({time.format(name=one['name']) if one['type'] == 'TIMESTAMP' else one['name'] + '::varchar'}, '<null>') as c{place}"
        for place, one in enumerate(columns)
    )


def loaded(contract):
    time = """to_char({name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ')"""
    rows = f"select {texts(contract['columns'], time)} from cardlake.{contract['table']}"
    answer = run(["psql", "-At", "-c", f"select coalesce(json_agg(row), '[]') from ({rows}) row"])
    return sorted(tuple(row.values()) for row in json.loads(answer))


def written(contract):
    time = "strftime({name}, '%Y-%m-%dT%H:%M:%S.%fZ')"
    files = f"read_parquet('{drop}/{contract['table']}/v=1/*/*/*.parquet', hive_partitioning = false)"
    sql = f"select {texts(contract['columns'], time)} from {files}"
    return sorted(tuple(row.values()) for row in json.loads(run([*cardlake, "query", "--allow-files", "--json", sql])))


contracts = [json.load(open(path)) for path in sorted(glob.glob(f"{drop}/*/contract.json"))]
known = {contract["table"]: written(contract) for contract in contracts}
differs = False
memory = os.path.join(tempfile.mkdtemp(), "loaded.csv")
for since in ([], [], ["--since", day], ["--since", "auto", "--loaded", memory]):
    if "auto" in since:
        for table in [*known, "cardlake_loaded"]:
            run(["psql", "-q", "-c", f"delete from cardlake.{table} where snapshot_date = '{day}'"])
        with open(memory, "w") as file:
            file.write(run(["psql", "--csv", "-c", "select * from cardlake.cardlake_loaded"]))
    script = run([*cardlake, "export", "--to", drop, "--sql", "postgres", *since])
    run(["psql", "-q", "-f", "-"], script)
    faults = [name for contract in contracts if loaded(contract) != known[(name := contract["table"])]]
    rows = sum(len(rows) for rows in known.values())
    print(f"{' '.join(since[:2]) or 'every day'}: {len(contracts)} tables, {rows} rows, {'DIFFERENT ' + str(faults) if faults else 'equal'}")
    differs = differs or bool(faults)
sys.exit(1 if differs else 0)
