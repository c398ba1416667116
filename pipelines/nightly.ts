import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import * as Command from "effect/cli/Command"
import {
  cluster,
  atMost,
  dialect,
  exportTo,
  games,
  log,
  notify,
  prometheus,
  road,
  index,
  partOf,
  unchangedCode
} from "./flags/nightFlags.ts"
import { printAnswer, printFault, printJson, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { home, json, settingsOf, url } from "./flags/sharedFlags.ts"
import { standardError } from "./print/standardError.ts"
import type { RunReport } from "../src/night/observe/RunReport.ts"

const interrupted =
  "Interrupted; the pages read so far are kept. Run it again to go on where it stopped: cardlake nightly"

/** The nightly run: standard output is the verdict and nothing else; progress goes to standard error. */
export const nightly = Command.make(
  "nightly",
  {
    games,
    partOf,
    index,
    unchangedCode,
    atMost,
    dialect,
    road,
    url,
    home,
    log,
    prometheus,
    notify,
    exportTo,
    cluster: Flag.optional(cluster),
    json
  },
  Effect.fnUntraced(function* ({
    cluster,
    exportTo,
    games,
    index,
    json,
    log,
    notify,
    partOf,
    prometheus,
    unchangedCode,
    ...flags
  }) {
    const { observe } = yield* Effect.promise(() => import("../src/night/observe/observe.ts"))
    const { observedNight } = yield* Effect.promise(() => import("./night/observedNight.ts"))
    const { showNight } = yield* Effect.promise(() => import("./print/showProgress.ts"))
    const { verdictText } = yield* Effect.promise(() => import("./night/verdictText.ts"))
    const { exitCodeOfNight } = yield* Effect.promise(() => import("../src/night/observe/RunReport.ts"))
    const { nightWarning } = yield* Effect.promise(() => import("../src/night/observe/nightEvent.ts"))
    const show =
      log === "json" ? { onProgress: () => {}, stop: () => {} } : showNight(process.stderr, Option.isSome(partOf))
    const settings = settingsOf(flags)
    const ofFleet = Effect.fnUntraced(function* (postgres: Redacted.Redacted) {
      if (Option.isSome(exportTo))
        return yield* wrongUsage(
          "A night of the fleet leaves no drop. Leave out --export, and run after it: cardlake export"
        )
      const { nightOfFleet, tellNight } = yield* Effect.promise(() => import("./fleet/nightOfFleet.ts"))
      const end = yield* nightOfFleet({ games, settings, postgres, isText: log === "text" })
      return yield* tellNight(end, { notify, prometheus })
    })
    const unstored: Array<RunReport> = []
    const onUnstored = (report: RunReport) => void unstored.push(report)
    const options = { settings, show, prometheus, notify, exportTo, onUnstored }
    const night = Option.getOrNull(partOf)
    const { exitCodeOfPart, nightInPart, partText } = yield* Effect.promise(() => import("./night/nightInPart.ts"))
    const work = Effect.gen(function* () {
      if (night === null && Option.isSome(cluster)) return yield* ofFleet(cluster.value)
      if (night === null) return yield* observedNight({ ...options, games })
      return yield* nightInPart(settings, { night, games, index, exportTo }, (gameId) =>
        observedNight({ ...options, games: [gameId], partOf: night })
      )
    })
    const report = yield* observe(
      { form: log, write: yield* standardError(log) },
      night === null && Option.isSome(cluster)
        ? work
        : Effect.onInterrupt(work, () => nightWarning("interrupted", interrupted))
    ).pipe(
      Effect.catch((error) =>
        Effect.gen(function* () {
          if (error instanceof Stopped) return yield* error
          // The events have already given the reason.
          if (log !== "json") yield* printFault(error.message)
          const [report] = unstored
          if (report !== undefined) yield* printAnswer(json, report, verdictText)
          else if (json) yield* printJson({ run: null, verdict: "failed", reason: error.message, games: [] })
          const code = Runtime.getErrorExitCode(error)
          return yield* new Stopped({ code: log === "json" && night === null ? 1 : code })
        })
      )
    )
    if ("night" in report) {
      yield* printAnswer(json, report, partText)
      const code = exitCodeOfPart(report, unchangedCode)
      return yield* code > 0 ? new Stopped({ code }) : Effect.void
    }
    yield* printAnswer(json, report, verdictText)
    const code = exitCodeOfNight(report)
    if (code > 0) return yield* new Stopped({ code })
  })
).pipe(
  Command.withDescription("Read every game, publish what is new, and say what changed"),
  Command.withExamples([
    { command: "cardlake nightly", description: "Every game of CARDLAKE_URL into the lake" },
    { command: "cardlake nightly magic riftbound --home /srv/lake", description: "Two games into a lake elsewhere" },
    { command: "cardlake nightly --json", description: "The verdict as one JSON object on standard output" },
    { command: "cardlake nightly --log json", description: "One JSON object per event on standard error" },
    {
      command: "cardlake nightly --prometheus /var/lib/node_exporter/cardlake.prom",
      description: "Figures of the night for node-exporter's textfile collector"
    },
    {
      command: "cardlake nightly --notify https://hooks.example.org/cardlake",
      description: "The report as JSON to a webhook"
    },
    { command: "cardlake nightly --export /srv/drop", description: "Parquet for a warehouse, brought up to date" },
    {
      command: "cardlake nightly magic --part-of 2026-11-23-1 --home s3://lakes/cards --json",
      description: "One game of a night that several machines read"
    }
  ])
)
