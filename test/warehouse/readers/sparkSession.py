"""A session of Spark 4.0 that reads Iceberg or Delta tables with packages from Maven."""

import json
import os
import tempfile

PACKAGES = {
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1",
    "delta": "io.delta:delta-spark_2.13:4.0.0",
}
NAMESPACE = os.environ.get("ICEBERG_NAMESPACE", "cardlake")
session = None


def settings_of(made):
    """Settings that a drop needs in the session, by its drop.json."""
    if made["tableFormat"] == "delta":
        yield "spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension"
        yield "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog"
    if "catalogue" in made:
        yield "spark.sql.catalog.rest", "org.apache.iceberg.spark.SparkCatalog"
        yield "spark.sql.catalog.rest.type", "rest"
        yield "spark.sql.catalog.rest.uri", made["catalogue"]


def spark_for(made):
    """The session; a process has one, for one drop."""
    global session
    from pyspark.sql import SparkSession

    if session is None:
        builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "2g")
        own = {
            "spark.jars.packages": PACKAGES[made["tableFormat"]],
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.warehouse.dir": tempfile.gettempdir(),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
        }
        for name, value in [*own.items(), *settings_of(made)]:
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    return session


def load_table(drop, table, **options):
    """A table of a drop: by its files, or by the name that it has in a REST catalogue."""
    made = json.load(open(f"{drop}/drop.json"))
    place = f"rest.{NAMESPACE}.{table}" if "catalogue" in made else f"{drop}/{table}"
    return spark_for(made).read.format(made["tableFormat"]).options(**options).load(place)
