"""Shared by the scripts in this folder that read the tables of a format."""

import glob
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import sys
import tempfile

import readDrop
from readDrop import columns_of, expected, first_difference, rows_of, wanted

drop = os.path.abspath(readDrop.drop)
# The lake keeps what nights that were taken back said of the changelog; a drop does not.
OF_ALL_NIGHTS = {"deployments", "deployment_changes"}
TRAVELLED = ["products", "source_prices", "nights"]

duckdb_session = None


def duckdb_with(*extensions):
    """A session of DuckDB with extensions that lie in Python packages of its version."""
    global duckdb_session
    import duckdb as engine

    if duckdb_session is None:
        duckdb_session = engine.connect(config={"allow_unsigned_extensions": True})
        duckdb_session.execute("set timezone = 'UTC'")
        for name in extensions:
            package = os.path.dirname(importlib.util.find_spec(f"duckdb_extension_{name}").origin)
            (path,) = glob.glob(f"{package}/**/*.duckdb_extension", recursive=True)
            if name == "sqlite":  # DuckDB asks for its full name
                path = shutil.copy(path, os.path.join(tempfile.mkdtemp(), "sqlite_scanner.duckdb_extension"))
            duckdb_session.execute(f"load '{path}'")
    return duckdb_session


def sum_of(read):
    rows = sorted(columns_of(read, read.column_names), key=repr)
    return hashlib.sha256(repr((read.column_names, rows)).encode()).hexdigest()


def compare(engines, versions_of):
    """Compares each table with the lake, and each version of some tables between the engines."""
    contracts = [json.load(open(path)) for path in sorted(glob.glob(f"{drop}/*/contract.json"))]
    known = {contract["table"]: expected(contract) for contract in contracts}
    first_sums, differs = {}, False
    for read in engines:
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
            if versions_of(name) == []:
                continue
            try:
                nights = read("nights", None)
                if name in OF_ALL_NIGHTS and not all(nights.column("counts").to_pylist()):
                    continue
                found = rows_of(read(name, None), name, columns, nights)
                if found != rows:
                    faults.append(f"{name}: {len(found)} rows against {len(rows)} of the lake, {first_difference(found, rows)}")
                for version, count in versions_of(name) if name in TRAVELLED else []:
                    then = read(name, version)
                    if then.num_rows != count or sum_of(then) != first_sums.setdefault((name, version), sum_of(then)):
                        faults.append(f"{name} as of {version}: {then.num_rows} rows of {count}, or other values")
                    travelled += 1
            except Exception as error:  # an engine that cannot read a table is what this looks for
                faults.append(f"{name}: {error!r}"[:500])
            compared += len(rows)
        told = "equal" if not faults else "DIFFERENT"
        print(f"{engine} {importlib.metadata.version(engine)}: {len(contracts)} tables, {compared} rows, {travelled} versions, {told}")
        for fault in faults:
            print(f"  {fault}")
        differs = differs or bool(faults)
    sys.exit(1 if differs else 0)
