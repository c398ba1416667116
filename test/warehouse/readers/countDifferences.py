"""Counts in Spark what differs between each night of a game and the one before it.

It reads Iceberg or Delta tables.

    node test/warehouse/readers/realNights.ts HOME GAME...
    npx cardlake export --home HOME --to DROP --backfill --format iceberg
    python test/warehouse/readers/countDifferences.py DROP EXPECTED.json GAME...

EXPECTED is the `expected-diffs.json` of the real catalogues: what truly differs between their
deployments. Exits with 1 when a count differs from it.
"""

import json
import sys

from sparkSession import load_table

drop, expected, *games = sys.argv[1:]
LEAD = {"snapshot_date", "snapshot_id", "read_at", "game_id"}
LISTS = ["product_languages", "product_finishes", "external_ids"]
PRICES = ["source_prices", "source_price_conditions", "marketplace_prices", "marketplace_price_conditions"]

tables = ["nights", "products", "expansions", "expansion_languages", *LISTS, *PRICES]
frames = {table: load_table(drop, table) for table in tables}
for table, frame in frames.items():
    frame.createOrReplaceTempView(table)
spark = frames["nights"].sparkSession


def facts(table, without=()):
    columns = [name for name in frames[table].columns if name not in LEAD and name not in without]
    return f"to_json(struct({', '.join(columns)}))"


def listed(table, item):
    return (
        f"select game_id, snapshot_id, {item}_id as id, concat_ws(';', sort_array(collect_list({facts(table)}))) as facts"
        f" from {table} group by game_id, snapshot_id, {item}_id"
    )


def sums(item, own, lists, prices):
    joins = "".join(f" left join ({listed(one, item)}) {one} using (game_id, snapshot_id, id)" for one in [*lists, *prices])
    together = lambda names: ", ".join(f"coalesce({one}.facts, '')" for one in names) or "''"
    return (
        f"select game_id, snapshot_id, id, md5(concat_ws('|', p.facts, {together(lists)})) as catalogue,"
        f" md5(concat_ws('|', {together(prices)})) as price"
        f" from (select game_id, snapshot_id, {item}_id as id, {own} as facts from {item}s) p{joins}"
    )


items = {
    "products": sums("product", facts("products", ("price_extra",)), LISTS, PRICES),
    "expansions": sums("expansion", facts("expansions", ()), ["expansion_languages"], []),
}
differs = False
for entity, sql in items.items():
    listed_games = ", ".join(f"'{game}'" for game in games)
    placed = (
        f"select n.place, i.* from ({sql}) i join nights n using (game_id, snapshot_id)"
        f" where n.counts and game_id in ({listed_games})"
    )
    spark.sql(placed).createOrReplaceTempView("placed")
    rows = spark.sql(
        """select coalesce(a.game_id, b.game_id) as game, coalesce(a.place, b.place + 1) as place,
             count_if(b.id is null) as added, count_if(a.id is null) as removed,
             count_if(a.catalogue <> b.catalogue) as beyond,
             count_if(a.catalogue <> b.catalogue or a.price <> b.price) as modified
           from placed a full join placed b on a.game_id = b.game_id and a.id = b.id and a.place = b.place + 1
           group by 1, 2"""
    ).collect()
    found = {(row.game, row.place): row for row in rows}
    for game in games:
        steps, faults = json.load(open(expected))["games"][game]["steps"], []
        for place, step in enumerate(steps, start=2):
            row, truth = found[(game, place)], step[entity]
            beyond = truth.get("modifiedBeyondPrices", truth["modified"])
            wanted = (truth["added"], truth["removed"], beyond, truth["modified"])
            ours = (row.added, row.removed, row.beyond, row.modified)
            if ours != wanted:
                faults.append(f"  step {place}: {ours} against {wanted}")
        told = "DIFFERENT" if faults else "equal"
        print(f"Spark {spark.version}, {game} {entity}: {len(steps)} steps, {told}", *faults, sep="\n")
        differs = differs or bool(faults)
sys.exit(1 if differs else 0)
