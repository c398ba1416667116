"""A session of Spark 4.0 that reads a drop as Iceberg or Delta tables. It fetches what it needs for that from Maven, once."""

PACKAGES = {
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1",
    "delta": "io.delta:delta-spark_2.13:4.0.0",
}
SETTINGS = {
    "iceberg": {},
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    },
}
session = None


def spark_for(table_format, **settings):
    """The session; each process has one, of one format."""
    global session
    import tempfile

    from pyspark.sql import SparkSession

    if session is None:
        builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "2g")
        own = {
            "spark.jars.packages": PACKAGES[table_format],
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.warehouse.dir": tempfile.gettempdir(),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
        }
        for name, value in {**own, **SETTINGS[table_format], **settings}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    return session
