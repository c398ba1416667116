import * as Duration from "effect/Duration"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { cron, tz } from "../flags/cronFlags.ts"
import {
  cluster,
  games,
  index,
  maxNameLength,
  night,
  nightFlags,
  partOf,
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
  portFlag,
  switchFlag,
  textArgument,
  textFlag,
  url,
  wholeNumberFlag
} from "../flags/sharedFlags.ts"
import { spec } from "./spec.ts"

/** Runs a night. Standard output has only the verdict; progress goes to standard error. */
export const nightly = spec({
  name: "nightly",
  flags: { games, partOf, index, unchangedCode, ...nightFlags, cluster, json },
  description: "Read every game, publish what is new, and say what changed",
  examples: [
    ["cardlake nightly", "Every game of CARDLAKE_URL into the lake"],
    ["cardlake nightly magic riftbound --home /srv/lake", "Two games into a lake elsewhere"],
    ["cardlake nightly --json", "The verdict as one JSON object on standard output"],
    ["cardlake nightly --log json", "One JSON object per event on standard error"],
    [
      "cardlake nightly --prometheus /var/lib/node_exporter/cardlake.prom",
      "Figures of the night for node-exporter's textfile collector"
    ],
    ["cardlake nightly --notify https://hooks.example.org/cardlake", "The report as JSON to a webhook"],
    ["cardlake nightly --export /srv/drop", "Parquet for a warehouse, brought up to date"],
    [
      "cardlake nightly magic --part-of 2026-11-23-1 --home s3://lakes/cards --json",
      "One game of a night that several machines read"
    ]
  ]
})

/** Runs nights as a service with its own schedule. */
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
    report: optionalText(
      "report",
      "FILE",
      "After each night, write the report of the morning here, as cardlake report does"
    ),
    cluster,
    json
  },
  description: "Run nightly at the times of a cron expression, as a service, until stopped",
  examples: [
    ['cardlake schedule --cron "0 3 * * *" --tz Europe/Zurich', "Every night at three"],
    [
      'cardlake schedule --cron "0 3 * * *" --log json --health 8080 --health-host 0.0.0.0',
      "In a container, with a health endpoint"
    ]
  ]
})

/** Runs a worker of a fleet, one of many machines. */
export const worker = spec({
  name: "worker",
  flags: {
    cluster,
    atOnce: wholeNumberFlag("at-once", "N", { from: 1, to: 16 }).pipe(
      Flag.withDescription("Games that it reads at the same time; default: 2"),
      Flag.withDefault(2)
    ),
    /** The name must fit into Postgres with its suffix. */
    name: textFlag("name", "NAME", "What it is called in Postgres; default: the name of this machine").pipe(
      Flag.filter(
        (text) => text.length <= maxNameLength,
        () => `Expected a name of at most ${maxNameLength} characters`
      ),
      Flag.optional
    ),
    ...readingFlags
  },
  description: "Read games for a fleet: any number of machines share its nights, by Postgres and a bucket",
  examples: [
    [
      "cardlake worker --cluster postgres://cardlake@db/fleet --home s3://lakes/cards",
      "On as many machines as you like; stop one at any time"
    ],
    [
      "cardlake nightly --cluster postgres://cardlake@db/fleet --home s3://lakes/cards",
      "A night by the workers that are alive"
    ]
  ]
})

/** Plans a night that several machines read in parts. */
export const plan = spec({
  name: "plan",
  flags: { id: switchFlag("id", "Print the id of the night and nothing else"), url, home, json },
  description: "Name a night that several machines read in parts, and say what it will take",
  examples: [
    ["cardlake plan --home s3://lakes/cards --json", "The night, and its games by their numbers, the heaviest first"],
    ["cardlake plan --home s3://lakes/cards --id", "The night alone, for a shell"]
  ]
})

/** Publishes a night that was read in parts. */
export const publish = spec({
  name: "publish",
  flags: {
    night,
    wait: durationFlag(
      "wait",
      "Wait so long for games that nobody has read to their end, such as 2h; default: not at all",
      '2h or "90 minutes"'
    ).pipe(Flag.withDefault(Duration.zero)),
    unchangedCode,
    home,
    json
  },
  description: "Publish what is ready of a night that several machines read in parts",
  examples: [
    ["cardlake publish 2026-11-23-1 --home s3://lakes/cards", "All that is ready, in one swap"],
    [
      "cardlake publish 2026-11-23-1 --home s3://lakes/cards --wait 2h --json",
      "Once every game is read, or after two hours what there is"
    ]
  ]
})

/** Reads the price history from the marketplace. */
export const backfill = spec({
  name: "backfill",
  flags: {
    games: textArgument("game", "Game ids that the lake has").pipe(Argument.variadic({ min: 1 })),
    where: optionalText(
      "where",
      "SQL",
      "Which products: a condition on the columns of table products and market_value, their highest; default: those that are priced"
    ),
    budget: numberFlag("budget", "SHARE", { from: 0.01, to: 1 }).pipe(
      Flag.withDescription(
        "The part of each limit of the marketplace that it uses; default: half of those that nights need, too, all of the price history's own"
      ),
      Flag.optional
    ),
    from: dayFlag("from", "The first day; default: 365 days up to the day that a product was queued"),
    url,
    home,
    json
  },
  description:
    "Ask the marketplace's own price history about products, dearest first; it goes on where it stopped, and the next night takes the answers into the lake",
  examples: [
    ["cardlake backfill emberfall", "A year of every product that is priced"],
    [
      'cardlake backfill emberfall --where "market_value >= 20" --budget 0.9',
      "What costs at least 20, nearly as fast as the marketplace allows"
    ],
    ["cardlake backfill emberfall tidewrack --from 2024-01-01 --json", "Further back, as JSON"]
  ]
})
