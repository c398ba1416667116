"""Attaches a database again and again until standard input ends, asks each time whether it has one whole state, and prints what it found as JSON.

    python attach.py EXTENSION SETTINGS DATABASE QUERY
"""
import json
import sys
import threading

import duckdb

extension, settings, database, query = sys.argv[1:]
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
answers = []
while not ended.is_set() or not answers:
    connection = duckdb.connect()
    try:
        connection.execute(f"load '{extension}'; {settings}")
        connection.execute(f"attach '{database}' as cards (read_only); use cards")
        answers.append(connection.execute(query).fetchall()[0][0])
    except duckdb.Error as error:
        answers.append(str(error))
    finally:
        connection.close()
    ended.wait(0.3)
print(json.dumps(answers))
