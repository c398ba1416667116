import * as Duration from "effect/Duration"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import {
  cron,
  tz,
  cluster,
  games,
  index,
  maxNameLength,
  night,
  nightFlags,
  partOfNight,
  readingFlags,
  unchangedCode
} from "../flags/nightFlags.ts"
import {
  dayFlag,
  durationFlag,
  home,
  json,
  maxAge,
  numberFlag,
  optionalText,
  publicUrl,
  portFlag,
  switchFlag,
  textArgument,
  textFlag,
  url,
  wholeNumberFlag
} from "../flags/sharedFlags.ts"
import { spec } from "./spec.ts"

const dryRun = switchFlag(
  "dry-run",
  "Read, compare and judge, but publish and store nothing; the next night uses the pages if nothing changed"
)

export const nightly = spec({
  name: "nightly",
  flags: { games, partOf: partOfNight, index, unchangedCode, dryRun, ...nightFlags, cluster, json },
  description: "Read every game, publish what is new, and report what changed",
  examples: [
    ["cardlake nightly", "Every game of CARDLAKE_URL into the lake"],
    ["cardlake nightly magic riftbound --home /srv/lake", "Two games into another lake"],
    ["cardlake nightly --dry-run", "What a night would publish or hold"],
    ["cardlake nightly --json", "The verdict as one JSON object on standard output"],
    ["cardlake nightly --log json", "One JSON object per event on standard error"],
    [
      "cardlake nightly --prometheus /var/lib/node_exporter/cardlake.prom",
      "Figures of the night for node-exporter's textfile collector"
    ],
    ["cardlake nightly --notify https://hooks.example.org/cardlake", "The report as JSON to a webhook"],
    ["cardlake nightly --export /srv/drop", "Also update a Parquet export"],
    [
      "cardlake nightly magic --part-of 2026-11-23-1 --home s3://lakes/cards --json",
      "One game of a night that several machines read"
    ]
  ]
})

export const schedule = spec({
  name: "schedule",
  flags: {
    games,
    cron,
    tz,
    health: portFlag(
      "health",
      "Serve GET /health on this port: 503 when the last night failed or the lake is too old"
    ).pipe(Flag.optional),
    healthHost: textFlag(
      "health-host",
      "ADDRESS",
      "Address that --health listens on; 0.0.0.0 is every address of this machine"
    ).pipe(Flag.withDefault("127.0.0.1")),
    maxAge,
    ...nightFlags,
    report: optionalText("report", "FILE", "After each night, write the morning report here, like cardlake report"),
    cluster,
    json
  },
  description: "Run nightly at the times of a cron expression, as a service, until stopped",
  examples: [
    ['cardlake schedule --cron "0 3 * * *" --tz Europe/Zurich', "Every night at three"],
    ['cardlake schedule --cron "0 3 * * *" --log json --health 8080', "In a container, with a health endpoint"]
  ]
})

export const worker = spec({
  name: "worker",
  flags: {
    cluster,
    atOnce: wholeNumberFlag("at-once", "N", { from: 1, to: 16 }).pipe(
      Flag.withDescription("Games read at the same time; default: 2"),
      Flag.withDefault(2)
    ),
    /** The name must fit into Postgres with its suffix. */
    name: textFlag("name", "NAME", "Name of the worker in Postgres; default: the machine's name").pipe(
      Flag.filter(
        (text) => text.length <= maxNameLength,
        () => `Expected a name of at most ${maxNameLength} characters`
      ),
      Flag.optional
    ),
    ...readingFlags
  },
  description: "Read games for a fleet: any number of machines share its nights through Postgres and a bucket",
  examples: [
    [
      "cardlake worker --cluster postgres://lake@db/fleet --home s3://lakes/cards",
      "On as many machines as you like; stop one at any time"
    ],
    [
      "cardlake nightly --cluster postgres://lake@db/fleet --home s3://lakes/cards",
      "A night by the workers that are alive"
    ]
  ]
})

export const plan = spec({
  name: "plan",
  flags: { id: switchFlag("id", "Print only the id of the night"), url, home, json },
  description: "Plan a night that several machines read in parts, and estimate its requests",
  examples: [
    ["cardlake plan --home s3://lakes/cards --json", "The night and its numbered games, the largest first"],
    ["cardlake plan --home s3://lakes/cards --id", "Only the id, for a shell"]
  ]
})

export const publish = spec({
  name: "publish",
  flags: {
    night,
    wait: durationFlag(
      "wait",
      "How long to wait for unfinished games, such as 2h; default: no wait",
      '2h or "90 minutes"'
    ).pipe(Flag.withDefault(Duration.zero)),
    unchangedCode,
    publicUrl,
    home,
    json
  },
  description: "Publish what is ready of a night that several machines read in parts",
  examples: [
    ["cardlake publish 2026-11-23-1 --home s3://lakes/cards", "All games that are ready, at once"],
    [
      "cardlake publish 2026-11-23-1 --home s3://lakes/cards --wait 2h --json",
      "When every game is read, at the latest after two hours"
    ]
  ]
})

export const backfill = spec({
  name: "backfill",
  flags: {
    games: textArgument("game", "Game ids that the lake has").pipe(Argument.variadic({ min: 1 })),
    where: optionalText(
      "where",
      "SQL",
      "SQL condition on the columns of table products and on market_value, the highest; default: priced products"
    ),
    budget: numberFlag("budget", "SHARE", { from: 0.01, to: 1 }).pipe(
      Flag.withDescription(
        "Share of each rate limit to use; default: half of the limits that nights need, all of the price history's"
      ),
      Flag.optional
    ),
    from: dayFlag("from", "First day; default: 365 days before the product was queued"),
    url,
    home,
    json
  },
  description:
    "Read the marketplace's price history, most expensive products first; it resumes, and the next night loads the answers",
  examples: [
    ["cardlake backfill emberfall", "A year of every priced product"],
    [
      'cardlake backfill emberfall --where "market_value >= 20" --budget 0.9',
      "Products from 20 up, at 90 % of the rate limits"
    ],
    ["cardlake backfill emberfall tidewrack --from 2024-01-01 --json", "Further back, as JSON"]
  ]
})
