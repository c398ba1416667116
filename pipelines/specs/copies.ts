import * as Duration from "effect/Duration"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { formatNames, formats } from "../../src/warehouse/formats.ts"
import {
  choiceFlag,
  dayFlag,
  destinationFlag,
  durationFlag,
  home,
  json,
  optionalArgument,
  optionalText,
  publicUrl,
  switchFlag,
  textArgument,
  textFlag,
  withCollection
} from "../flags/sharedFlags.ts"
import { spec } from "./spec.ts"

const tableTitles = formats
  .filter(({ tables }) => tables !== null)
  .map(({ title }) => title)
  .join(", ")
  .replace(/, (\w+)$/, " or $1")

export const pull = spec({
  name: "pull",
  flags: {
    games: textArgument("game", "Game ids; default: every game of the lake").pipe(Argument.variadic()),
    to: textFlag("to", "DIR", "Target folder, created if missing"),
    watch: switchFlag("watch", "Keep running, and fetch each new publication"),
    every: durationFlag(
      "every",
      "With --watch: polling interval, such as 5m; default: 30 seconds",
      '5m or "30 seconds"'
    ).pipe(Flag.withDefault(Duration.seconds(30))),
    withCollection,
    home,
    json
  },
  description: "Copy a lake from its home in a bucket, or update the copy",
  examples: [
    ["cardlake pull --home s3://lakes/cards --to /srv/cards", "All games, with a lake.duckdb to query and explore"],
    ["cardlake pull magic --home s3://lakes/cards --to /srv/magic --watch", "One game, kept up to date"]
  ]
})

export const front = {
  name: "front",
  description: "Let readers attach the lake by its address, with files on a web server",
  examples: [["cardlake front publish /srv/www/lake", "Write or update the folder of a web server"]]
} as const

export const publishFront = spec({
  name: "publish",
  flags: {
    to: optionalArgument(
      "dir",
      "Folder for a web server; created if missing, updated if it has a front. None for a home in a bucket, which has its front beside it"
    ),
    publicUrl,
    home,
    json
  },
  description: "Write front.duckdb and the Parquet files that it names into a folder",
  examples: [
    ["cardlake front publish /srv/www/lake --public-url https://data.example/lake", "For a web server"],
    ["cardlake front publish /srv/www/lake", "Again after a night: only what is new is copied"],
    ["cardlake front publish --home s3://lakes/cards", "In the bucket: every later publication writes it again"]
  ]
})

export const move = spec({
  name: "move",
  flags: {
    from: destinationFlag("from", "The home: a folder, or s3://bucket/prefix"),
    to: destinationFlag(
      "to",
      "Where to copy it, empty: s3://bucket/prefix if the home is a folder, a folder if it is in a bucket"
    ),
    withCollection,
    json
  },
  description: "Copy a home from a folder into a bucket, or back; the source is kept",
  examples: [
    ["cardlake move --from /srv/lake --to s3://lakes/cards", "From a folder into a bucket"],
    ["cardlake move --from s3://lakes/cards --to /srv/lake", "And back"]
  ]
})

export const exporting = spec({
  name: "export",
  flags: {
    games: textArgument("game", "Game ids; default: every game of the lake").pipe(Argument.variadic()),
    to: destinationFlag("to", "A folder, or s3://bucket/prefix"),
    tables: textFlag("table", "TABLE", "A table, repeatable; default: every table").pipe(Flag.atLeast(0)),
    since: dayFlag(
      "since",
      "First day, UTC; default: the export's first day, in a new export the last night. With --sql also auto: what differs from --loaded",
      ["auto"]
    ),
    until: dayFlag("until", "Last day, UTC"),
    backfill: switchFlag("backfill", "Every night of the history"),
    compression: choiceFlag(
      "compression",
      ["snappy", "zstd"],
      "Parquet compression: every reader supports snappy; zstd is smaller"
    ).pipe(Flag.withDefault("snappy")),
    decimals: choiceFlag(
      "decimals",
      ["exact", "text"],
      "Store money and times as DECIMAL and TIMESTAMP, or as exact text; default: as in the export"
    ).pipe(Flag.optional),
    format: choiceFlag(
      "format",
      formatNames,
      `Plain Parquet, or ${tableTitles} tables with time travel; default: as in the export, at first files`
    ).pipe(Flag.optional),
    verify: switchFlag(
      "verify",
      "Only verify: read everything back and compare it with the manifests; the next export repairs it"
    ),
    compact: switchFlag(
      "compact",
      `Only compact: join the files of past months of ${tableTitles} tables, one commit per table, rows unchanged`
    ),
    sql: choiceFlag(
      "sql",
      ["bigquery", "snowflake", "redshift", "athena", "databricks", "trino", "clickhouse", "postgres", "duckdb"],
      "Only print the script that loads the export there, from --since to --until"
    ).pipe(Flag.optional),
    loaded: optionalText("loaded", "FILE", "With --since auto: the warehouse's table cardlake_loaded as CSV"),
    dbt: optionalText(
      "dbt",
      "DIR",
      "Only write a dbt source with staging models, marts and tests into this dbt project"
    ),
    home,
    json
  },
  description:
    "Write the lake's tables as Parquet for a warehouse, one partition per game and day; later runs write only what is new",
  examples: [
    ["cardlake export --to /srv/drop", "What is new since the last export; the first time the last night"],
    ["cardlake export --to /srv/drop --backfill", "Every night of the history"],
    [
      "cardlake export magic --to /srv/drop --table products --table source_prices --since 2026-05-01",
      "Two tables of a game from a day on"
    ],
    ["cardlake export --to /srv/drop --sql duckdb", "The script that loads it into DuckDB"],
    [
      "cardlake export --to /srv/drop --sql duckdb --since auto --loaded /tmp/loaded.csv",
      "The script that loads what the warehouse does not have yet"
    ],
    ["cardlake export --to /srv/drop --verify", "Compare every file with its manifest"],
    [
      "cardlake export --to /srv/tables --compact",
      "Few large files for the past months of Iceberg, Delta or DuckLake tables"
    ]
  ]
})
