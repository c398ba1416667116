"""Asks Spark about prices of a year in Iceberg tables, and compares its answers with the lake's.

    python test/warehouse/readers/askYear.py HOME DROP

The questions are those of data/README.md, with the queries that it shows there, without their limits and for this year's
products and days. What Spark is asked instead is in `questions`, written from the tables of the drop alone.
Not asked:

- "What changed in the catalogue, and since when?": it is not about prices.
- `price_series` of days of the service's own history, products whose id passed to another, and nights that were taken
  back: the year has none.

Prints a line for each question: its rows, the data files and megabytes that Spark opened for it, its seconds. Exits
with 1 if an answer differs or has no row.
"""

import datetime
import re
import sys
import time
from pathlib import Path

from readDrop import drop, query
from sparkSession import load_table

HERE = Path(__file__).parent
TABLES = ("source_prices", "marketplace_prices", "marketplace_price_conditions", "products", "product_finishes")
TABLES += ("expansions", "external_ids", "fx_rates", "nights")
NOT_ABOUT_PRICES = {"What changed in the catalogue, and since when?"}


def spark_of_tables():
    for table in TABLES:
        frame = load_table(drop, table)
        frame.createOrReplaceTempView(table)
    # The plan that was executed then has the figures of every scan.
    for setting in ("adaptive.enabled", "optimizer.dynamicPartitionPruning.enabled"):
        frame.sparkSession.conf.set(f"spark.sql.{setting}", "false")
    frame.sparkSession.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    return frame.sparkSession


def of_year(spark):
    """Days, a product and an expansion to ask about."""
    first, last = spark.sql("select min(snapshot_date), max(snapshot_date) from nights where counts").first()
    week_ago = spark.sql(f"select max(snapshot_date) from nights where counts and snapshot_date <= date_sub('{last}', 7)").first()[0]
    # It came in the middle of the year.
    product, expansion = spark.sql(
        f"""select product_id, expansion_id from products
            where snapshot_date = '{last}' and product_id % 100 = 3 and product_id % 10 not in (4, 5) order by product_id limit 1"""
    ).first()
    early = first + datetime.timedelta(20)
    days = {"first_day": first, "last_day": last, "week_ago": week_ago, "early_day": early}
    return {**days, "product": product, "expansion": expansion}


def fitting(year):
    """What the queries of data/README.md say, and what they say for this year."""
    return {
        "12314, finish_name": f"{year['product']}, finish_name",
        "12779, to_currency": f"{year['product']}, to_currency",
        "where product_id = 12314": "",
        "2026-08-19": str(year["first_day"]),
        "2026-08-20 12:00": f"{year['early_day']} 12:00",
        "set_value_series(305": f"set_value_series({year['expansion']}",
    }


def in_lake(sql, fits):
    """A query for this year, with all its rows, as texts: decimals have all their places."""
    for old, new in fits.items():
        sql = sql.replace(old, new)
    return f"select columns(*)::varchar from ({re.sub(r'order by .* limit 4', '', sql)})"


def text_of(value):
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def opened(frame):
    """Data files and bytes that the scans of an executed plan read."""
    files, size, leaves = 0, 0, frame._jdf.queryExecution().executedPlan().collectLeaves()
    for at in range(leaves.size()):
        metrics = leaves.apply(at).metrics()
        if metrics.contains("resultDataFiles"):
            files += metrics.apply("resultDataFiles").value()
            size += metrics.apply("totalDataFileSize").value()
    return files, size


def main():
    readme = (HERE / "../../../data/README.md").read_text()
    shown = re.findall(r"\*\*([^*]*\?)\*\*\n\n```sql\n(.*?)\n```", readme.split("## Ten questions\n")[1].split("\n## ")[0], re.S)
    asked = {path.read_text().split("\n")[0].removeprefix("-- "): path for path in HERE.glob("questions/*.sql")}
    assert {title for title, _ in shown} == {*asked, *NOT_ABOUT_PRICES}, "data/README.md has other questions"
    spark = spark_of_tables()
    year = of_year(spark)
    fits = fitting(year)
    assert all(any(old in sql for _, sql in shown) for old in fits), "data/README.md asks about other products or days"
    failed = False
    for title, sql in shown:
        if title in NOT_ABOUT_PRICES:
            continue
        started = time.monotonic()
        answer = spark.sql(asked[title].read_text(), args=year)
        found = sorted(tuple(map(text_of, row)) for row in answer.collect())
        took = time.monotonic() - started
        known = sorted(tuple(map(text_of, row)) for row in query(in_lake(sql, fits)))
        files, size = opened(answer)
        told = "NO ROWS" if not found else "equal" if found == known else f"DIFFERENT, {len(known)} rows of the lake"
        failed = failed or told != "equal"
        print(f"{title:<74} {len(found)} rows, {files} files, {size / 1e6:.1f} MB, {took:.1f} s, {told}", flush=True)
        if found != known:
            print(f"  {sum(a not in set(known) for a in found)} rows of Spark alone")
            print("  ", next(((a, b) for a, b in zip(found, known) if a != b), None))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
