"""Gives every price of a home's last readings its verdict, and compares it with the program's.

    python verdicts.py HOME VERDICTS.csv

Reads the Parquet of the snapshots alone. VERDICTS.csv has game_id, product_id, finish, source and verdict.
Prints how many verdicts there are and how many differ; exits with 1 if any does.
"""

import csv
import glob
import math
import os
import sys
from collections import Counter, defaultdict
from statistics import median

import duckdb

home, theirs = sys.argv[1:]


def rows(columns, table, folder, where="true"):
    """Rows of a snapshot, whose prices may have moved into the newest part of a month."""
    own = f"{folder}/{table}.parquet"
    parts = sorted(glob.glob(f"{glob.escape(folder.split('/snapshot=')[0].replace('/snapshots/', '/history/'))}/*/*/{table}.parquet"))
    for file in [own] if os.path.exists(own) else reversed(parts):
        of_night = "true" if file == own else f"snapshot = '{folder.rsplit('=', 1)[1]}'"
        found = duckdb.sql(
            f"select {columns} from read_parquet('{file}', hive_partitioning = false) where {of_night} and {where}"
        ).fetchall()
        if found or file == own:
            return found
    raise SystemExit(f"No {table} of {folder}")


def set_moves(night, before, sets):
    """The median move of every set from one night to the next, and the robust deviation of its moves."""
    moves = defaultdict(list)
    for (product, finish, source), (currency, value, _) in night.items():
        old = before.get((product, finish, source))
        if old is not None and old[0] == currency:
            moves[sets.get(product), source, currency].append(math.log(value / old[1]))
    middles = {name: median(all_moves) for name, all_moves in moves.items()}
    return {
        name: (middle, max(0.05, 1.4826 * median(abs(move - middle) for move in moves[name])))
        for name, middle in middles.items()
    }


def own_readings(nights, place, key, currency):
    earlier = (night.get(key) for night in nights[max(0, place - 30) : place])
    return [one[1] for one in earlier if one is not None and one[0] == currency]


def is_jump(nights, place, key, moves_of, sets):
    """Whether the price jumped at this reading, and has not come back since."""
    currency, value, _ = nights[place][key]
    before = own_readings(nights, place, key, currency)
    if len(before) < 3 or abs(math.log(value / before[-1])) <= 0.25:
        return False
    middle = median(map(math.log, before))
    bound = 5 * max(0.05, 1.4826 * median(abs(math.log(one) - middle) for one in before))
    move = math.log(value / before[-1])
    of_set, deviation_of_set = moves_of(place).get((sets[place].get(key[0]), key[2], currency), (0, 0.05))
    jumped = min(abs(move), abs(math.log(value) - middle)) > bound and abs(move - of_set) > max(bound, 5 * deviation_of_set)
    now = nights[-1][key]
    return jumped and now[0] == currency and abs(math.log(now[1]) - middle) > bound


def verdict(key, nights, sets, listings, moves_of, sources):
    currency, value, low = nights[-1][key]
    product, finish, source = key
    here = [one for one in (nights[-1].get((product, finish, other)) for other in ("sourceEur", "sourceUsd")) if one]
    recent = [night.get(key) for night in nights[-7:]]
    listed = listings.get((product, finish), 0) if listings else None
    late = range(max(1, len(nights) - 7), len(nights))
    if any(is_jump(nights, place, key, moves_of, sets) for place in late if key in nights[place]):
        return "jump"
    if listed == 0 and low and value > 3 * low:
        return "parked"
    if len(here) == 2 and here[0][0] == here[1][0] and max(a[1] for a in here) > 2 * min(a[1] for a in here):
        return "disagree"
    if len(recent) == 7 and all(one is not None and one[:2] == (currency, value) for one in recent):
        return "stale"
    if listed is not None and listed < 3:
        return "thin"
    if len(here) < sources:
        return "single source"
    return "ok"


ours = {}
for game in glob.glob(f"{glob.escape(home)}/snapshots/game=*"):
    folders = sorted(glob.glob(f"{glob.escape(game)}/snapshot=*"))
    name = game.rsplit("=", 1)[1]
    priced = "product_id, finish, source, currency, market_value::double, low::double"
    nights = [
        {row[:3]: row[3:] for row in rows(priced, "source_prices", folder, "market_value > 0")} for folder in folders
    ]
    sets = [dict(rows("product_id, expansion_id", "products", folder)) for folder in folders]
    last = rows("product_id, finish, listing_count", "marketplace_prices", folders[-1], "region is null")
    listings = {row[:2]: row[2] for row in last if row[2] > 0}
    sources = len({source for _, _, source in nights[-1]})
    known = {}

    def moves_of(place):
        if place not in known:
            known[place] = set_moves(nights[place], nights[place - 1], sets[place])
        return known[place]

    for key in nights[-1]:
        ours[(name, *map(str, key))] = verdict(key, nights, sets, listings, moves_of, sources)

with open(theirs, newline="") as file:
    found = {(r["game_id"], r["product_id"], r["finish"], r["source"]): r["verdict"] for r in csv.DictReader(file)}
differ = [key for key in ours.keys() | found.keys() if ours.get(key) != found.get(key)]
for key in differ[:10]:
    print(*key, "ours", ours.get(key), "theirs", found.get(key))
print(len(ours), "verdicts,", dict(Counter(ours.values())), len(differ), "differ")
sys.exit(1 if differ else 0)
