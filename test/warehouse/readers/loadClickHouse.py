"""Loads a drop into ClickHouse (chDB) with the printed script, four times.

After each time it compares every table with the files.

    npx cardlake export --home HOME --to DROP --backfill
    python test/warehouse/readers/loadClickHouse.py DROP DAY

First every day, then every day again, then those from DAY on, then by --since auto what it lost: its rows of
DAY and the memory of them. Needs chdb and pyarrow.
Exits with 1 when something differs.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

from chdb.session import Session

drop, day = os.path.abspath(sys.argv[1]), sys.argv[2]
cardlake = ["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../pipelines/start.mjs")]
os.chdir(drop)  # chDB reads nothing outside this folder
session = Session()


def sums_of(contract, source):
    """Rows of a table and a hash of all their values, in any order."""
    texts = ", ".join(f"ifNull(toString({column['name']}), '<null>')" for column in contract["columns"])
    answer = session.query(f"select count(), sum(cityHash64({texts})) from {source} format JSONCompact")
    return json.loads(str(answer))["data"][0]


contracts = [json.load(open(path)) for path in sorted(glob.glob(f"{drop}/*/contract.json"))]
files = {one["table"]: f"file('{drop}/{one['table']}/v=1/*/*/*.parquet', 'Parquet')" for one in contracts}
known = {one["table"]: sums_of(one, files[one["table"]]) for one in contracts}
differs = False
memory = os.path.join(tempfile.mkdtemp(), "loaded.csv")
for since in ([], [], ["--since", day], ["--since", "auto", "--loaded", memory]):
    if "auto" in since:
        for table in [*known, "cardlake_loaded"]:
            session.query(f"delete from cardlake.{table} where snapshot_date = '{day}'")
        with open(memory, "w") as file:
            file.write(str(session.query("select * from cardlake.cardlake_loaded format CSVWithNames")))
    script = [*cardlake, "export", "--to", drop, "--sql", "clickhouse", *since]
    session.query(subprocess.run(script, check=True, capture_output=True, text=True).stdout)
    faults = [name for one in contracts if sums_of(one, f"cardlake.{(name := one['table'])}") != known[name]]
    rows = sum(int(rows) for rows, _ in known.values())
    print(f"{' '.join(since[:2]) or 'every day'}: {len(contracts)} tables, {rows} rows, {'DIFFERENT ' + str(faults) if faults else 'equal'}")
    differs = differs or bool(faults)
sys.exit(1 if differs else 0)
