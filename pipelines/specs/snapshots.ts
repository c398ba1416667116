import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import {
  choiceFlag,
  dialectFlag,
  home,
  json,
  line,
  numberFlag,
  optionalArgument,
  spreadsheet,
  switchFlag,
  textArgument,
  wholeNumberFlag,
  why,
  yes
} from "../flags/sharedFlags.ts"
import { spec } from "./spec.ts"

export const diff = spec({
  name: "diff",
  flags: {
    game: textArgument("game", "Game id"),
    from: optionalArgument("from", "Earlier snapshot or deployment; default: the one published before"),
    to: optionalArgument("to", "Later snapshot or deployment; default: the published snapshot"),
    format: choiceFlag(
      "format",
      ["table", "json", "ndjson", "csv", "markdown", "html"],
      "table (the default) and json: counts and first rows; ndjson and csv: every change; markdown and html: release notes"
    ).pipe(Flag.optional),
    spreadsheet,
    minMove: numberFlag("min-move", "PERCENT", { from: 0, to: 1_000_000 }).pipe(
      Flag.withDescription("Show price moves of at least this percentage; default: 20"),
      Flag.withDefault(20)
    ),
    minPrice: numberFlag("min-price", "PRICE", { from: 0, to: 1_000_000 }).pipe(
      Flag.withDescription("Show price moves whose old or new price is at least this, in its own currency; default: 1"),
      Flag.withDefault(1)
    ),
    line,
    home,
    json
  },
  description: "Compare two snapshots of a game field by field, and check the changes against the changelog",
  examples: [
    ["cardlake diff magic", "The published snapshot against the one published before it"],
    ["cardlake diff magic dep_1f00 dep_9c2e --json", "Two deployments, as JSON"],
    ["cardlake diff magic --format html > notes.html", "Release notes to mail or to publish"],
    ["cardlake diff magic --format csv > changes.csv", "Every change, a row each"]
  ]
})

export const snapshots = spec({
  name: "snapshots",
  flags: { home, json, line },
  description: "List the snapshots in the home: current, earlier, taken back and held ones",
  examples: [
    ["cardlake snapshots --line", "Each as lines, for a narrow terminal"],
    ["cardlake snapshots --json", "As a JSON array"]
  ]
})

export const runs = spec({
  name: "runs",
  flags: { home, json, line },
  description: "List the runs of this home, newest first",
  examples: [
    ["cardlake runs --line", "Each as lines, without cutting texts"],
    ["cardlake runs --json", "Every report as a JSON array"]
  ]
})

export const release = spec({
  name: "release",
  flags: {
    game: textArgument("game", "Game id"),
    snapshot: optionalArgument(
      "snapshot",
      "Held snapshot; default: the newest one, if it is newer than the published one"
    ),
    takeBack: switchFlag("take-back", "For an older snapshot: take back what was published after it"),
    why,
    yes,
    home,
    json
  },
  description: "Publish a held snapshot; asks for confirmation",
  examples: [
    ["cardlake release magic --why 'Checked: the set was really withdrawn'", "The newest held snapshot of a game"],
    ["cardlake release magic 20261120T030000000Z-3f9a --yes --json", "A given snapshot, without confirmation, as JSON"]
  ]
})

export const replay = spec({
  name: "replay",
  flags: {
    game: textArgument("game", "Game id"),
    snapshot: optionalArgument("snapshot", "Snapshot; default: the published one"),
    dialect: dialectFlag(
      "Read the raw pages with these field names (auto: detected) or a mapping file, and publish the result"
    ).pipe(Flag.optional),
    refusals: switchFlag(
      "refusals",
      "Try refused records under the current contract, and publish a corrected snapshot"
    ),
    why,
    home,
    json
  },
  description: "Rebuild a snapshot from its raw pages, offline, and compare it with the stored one",
  examples: [
    ["cardlake replay magic", "Exit code 1 when a table differs by a byte"],
    ["cardlake replay magic --refusals", "After the contract was corrected: load refused records"],
    ["cardlake replay magic --dialect live", "A game that was held because of unknown field names"]
  ]
})

export const rollback = spec({
  name: "rollback",
  flags: {
    game: textArgument("game", "Game id"),
    snapshot: optionalArgument("snapshot", "Snapshot to return to; default: the one before"),
    why,
    yes,
    home,
    json
  },
  description: "Return a game to an earlier snapshot; asks for confirmation",
  examples: [
    ['cardlake rollback magic --why "Last night\'s prices are wrong"', "The snapshot before the current one"],
    ["cardlake rollback magic 20261120T030000000Z-3f9a --yes --json", "A given snapshot, without confirmation, as JSON"]
  ]
})

export const compact = spec({
  name: "compact",
  flags: {
    games: textArgument("game", "Game ids; default: every game of the lake").pipe(Argument.variadic()),
    home,
    json
  },
  description:
    "Join the prices of each closed month, and weekly of this month, into one file: faster to query by product, and smaller for a large game",
  examples: [
    ["cardlake compact", "Every game; nightly does it for the games that it publishes"],
    ["cardlake compact magic --json", "One game; prints the result as one JSON object"]
  ]
})

export const prune = spec({
  name: "prune",
  flags: {
    keepDays: wholeNumberFlag("keep-days", "N", { from: 1, to: 100_000 }).pipe(
      Flag.withDescription("Keep every snapshot read within N days"),
      Flag.optional
    ),
    keepLast: wholeNumberFlag("keep-last", "N", { from: 1, to: 100_000 }).pipe(
      Flag.withDescription("Keep the N newest published snapshots of every game"),
      Flag.optional
    ),
    keepMonthly: switchFlag("keep-monthly", "Keep the first published snapshot of every month"),
    yes: switchFlag("yes", "Delete; without this flag, only list what would be deleted"),
    home,
    json
  },
  description:
    "Delete old snapshots with their changes, raw pages and run reports; without --yes, only list them. Prices and versions stay in the history",
  examples: [
    ["cardlake prune --keep-days 90 --keep-monthly", "What would be deleted, and how many bytes"],
    ["cardlake prune --keep-last 30 --yes", "Delete all but thirty snapshots of every game"]
  ]
})
