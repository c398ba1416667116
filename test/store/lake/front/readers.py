"""Reads attached databases as an analyst does, and prints what it finds as JSON, one line per database.

    python readers.py QUERIES DATABASE...

QUERIES is a file with a JSON list of queries. A database is a path or an address; what follows an @ is the base that overrides
where the files of a front are. Over HTTP it needs the package duckdb-extension-httpfs of DuckDB's version.
"""
import glob
import importlib.util
import json
import os
import sys

import duckdb

with open(sys.argv[1]) as file:
    queries = json.load(file)
for database in sys.argv[2:]:
    address, _, base = database.partition("@")
    connection = duckdb.connect()
    connection.execute("set TimeZone = 'UTC'")
    if address.startswith("http"):
        package = os.path.dirname(importlib.util.find_spec("duckdb_extension_httpfs").origin)
        (path,) = glob.glob(f"{package}/**/*.duckdb_extension", recursive=True)
        connection.execute(f"load '{path}'")
    connection.execute(f"attach '{address}' as cards (read_only)")
    connection.execute("use cards")
    if base:
        connection.execute(f"set variable cardlake_base = '{base}'")
    answers = []
    for query in queries:
        try:
            answers.append([[str(value) for value in row] for row in connection.execute(query).fetchall()])
        except duckdb.Error as error:
            answers.append(str(error).split("\n")[0])
    print(json.dumps({"version": duckdb.__version__, "answers": answers}), flush=True)
