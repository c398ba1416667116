"""Asks Spark about prices of a year in Iceberg tables, and compares its answers with the lake's.

    python test/export/readers/askYear.py HOME DROP

Prints a line for each question: its rows, the data files and megabytes that Spark opened for it, its seconds. Exits
with 1 if an answer differs. `npm run bench:compact` makes such a year.
"""

import sys
import time

from readDrop import drop, query
from sparkSession import load_table


def rows_of_lake(sql):
    """Rows of the lake as texts, in no order."""
    return sorted([tuple("" if value is None else str(value) for value in row) for row in query(sql)])


def opened(frame):
    """Data files and bytes that the scans of an executed plan read."""
    files, size, leaves = 0, 0, frame._jdf.queryExecution().executedPlan().collectLeaves()
    for at in range(leaves.size()):
        metrics = leaves.apply(at).metrics()
        if metrics.contains("resultDataFiles"):
            files += metrics.apply("resultDataFiles").value()
            size += metrics.apply("totalDataFileSize").value()
    return files, size


DAYS = ("min(seen_at)::date + 40", "max(seen_at)::date - 7", "max(seen_at)::date")
DAY, WEEK, LAST = query(f"select {', '.join(f'({day})::varchar as d{at}' for at, day in enumerate(DAYS))} from nights")[0]
PRODUCT = query("select median(product_id)::bigint::varchar as id from products")[0][0]

QUESTIONS = {
    "which prices moved most in a week": (
        f"""select cast(n.product_id as string), n.finish, n.price_source, cast(o.market_value as string), cast(n.market_value as string)
            from source_prices n join source_prices o using (game_id, product_id, finish, price_source)
            where n.snapshot_date = date '{LAST}' and o.snapshot_date = date '{WEEK}'
              and o.market_value <> n.market_value and o.market_value >= 5""",
        """select product_id::varchar, finish, source, old::varchar, new::varchar
           from movers(days := 7, min_price := 5) where old >= 5 and old <> new""",
    ),
    "one product, day by day": (
        f"""select cast(snapshot_date as string), finish, price_source, cast(low as string), cast(market_value as string)
            from source_prices where product_id = {PRODUCT}""",
        f"""select seen_at::date::varchar, finish, source, low::varchar, market_value::varchar
            from source_price_history where product_id = {PRODUCT}""",
    ),
    "what products cost on a day, and what they were called": (
        f"""select p.name, cast(s.product_id as string), s.finish, s.price_source, cast(s.market_value as string)
            from source_prices s join products p using (game_id, snapshot_id, product_id)
            where s.snapshot_date = date '{DAY}' and p.snapshot_date = date '{DAY}'""",
        f"""select p.name, s.product_id::varchar, s.finish, s.source, s.market_value::varchar
            from prices_at('{DAY} 23:00') s join products_at('{DAY} 23:00') p using (game_id, product_id)""",
    ),
    "what an expansion's prices come to, month by month": (
        """select cast(trunc(s.snapshot_date, 'MM') as string), cast(p.expansion_id as string), s.price_source,
             cast(count(s.market_value) as string), cast(cast(sum(s.market_value) as decimal(38, 4)) as string)
           from source_prices s join products p using (game_id, snapshot_id, product_id)
           where p.snapshot_date = s.snapshot_date group by all""",
        """select date_trunc('month', h.seen_at)::date::varchar, p.expansion_id::varchar, h.source,
             count(h.market_value)::varchar, sum(h.market_value)::decimal(38, 4)::varchar
           from source_price_history h join products p using (game_id, product_id) group by all""",
    ),
    "every price of the year": (
        """select price_source, cast(count(*) as string), cast(cast(sum(low) as decimal(38, 4)) as string),
             cast(cast(sum(market_value) as decimal(38, 4)) as string), cast(count(distinct snapshot_date) as string)
           from source_prices group by price_source""",
        """select source, count(*)::varchar, sum(low)::decimal(38, 4)::varchar, sum(market_value)::decimal(38, 4)::varchar,
             count(distinct seen_at::date)::varchar from source_price_history group by source""",
    ),
}

differs = False
for table in ("source_prices", "products"):
    frame = load_table(drop, table)
    # The plan that was executed then has the figures of every scan.
    for setting in ("spark.sql.adaptive.enabled", "spark.sql.optimizer.dynamicPartitionPruning.enabled"):
        frame.sparkSession.conf.set(setting, "false")
    frame.sparkSession.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    frame.createOrReplaceTempView(table)
spark = frame.sparkSession
for name, (in_spark, in_lake) in QUESTIONS.items():
    started = time.monotonic()
    answer = spark.sql(in_spark)
    found = sorted(tuple("" if value is None else value for value in row) for row in answer.collect())
    took = time.monotonic() - started
    files, size = opened(answer)
    known = rows_of_lake(in_lake)
    told = "equal" if found == known else f"DIFFERENT, {len(known)} rows of the lake"
    differs = differs or found != known
    print(f"{name:<56} {len(found)} rows, {files} files, {size / 1e6:.1f} MB, {took:.1f} s, {told}", flush=True)
    if found != known:
        print("  ", next(((a, b) for a, b in zip(found, known) if a != b), None))
sys.exit(1 if differs else 0)
