import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import * as Command from "effect/cli/Command"
import { cluster, games, index, nightFlags, partOf, unchangedCode } from "./flags/nightFlags.ts"
import { printAnswer, printFault, printJson, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { json, settingsOf } from "./flags/sharedFlags.ts"
import { standardError } from "./print/standardError.ts"
import type { RunReport } from "../src/night/observe/RunReport.ts"

const interrupted =
  "Interrupted; the pages read so far are kept. Run it again to go on where it stopped: cardlake nightly"

const nightlyFlags = { games, partOf, index, unchangedCode, ...nightFlags, cluster, json }
type Asked = Command.Command.Config.Infer<typeof nightlyFlags>

/** Has the fleet do the night, and tells how it ended. */
const nightByFleet = Effect.fnUntraced(function* (asked: Asked, postgres: Redacted.Redacted) {
  const { exportTo, games, log, notify, prometheus } = asked
  if (Option.isSome(exportTo))
    return yield* wrongUsage(
      "A night of the fleet leaves no drop. Leave out --export, and run after it: cardlake export"
    )
  const { nightOfFleet, tellNight } = yield* Effect.promise(() => import("./fleet/nightOfFleet.ts"))
  const end = yield* nightOfFleet({ games, settings: settingsOf(asked), postgres, isText: log === "text" })
  return yield* tellNight(end, { notify, prometheus })
})

/** Reads the night on this machine, or one game of a night that several machines read. */
const nightHere = Effect.fnUntraced(function* (asked: Asked, onUnstored: (report: RunReport) => void) {
  const { exportTo, games, index, log, notify, partOf, prometheus } = asked
  const { observedNight } = yield* Effect.promise(() => import("./night/observedNight.ts"))
  const { nightInPart } = yield* Effect.promise(() => import("./night/nightInPart.ts"))
  const { showNight } = yield* Effect.promise(() => import("./print/showProgress.ts"))
  const settings = settingsOf(asked)
  const show = log === "json" ? {} : { show: showNight(process.stderr, Option.isSome(partOf)) }
  const options = { settings, ...show, prometheus, notify, exportTo, onUnstored }
  if (Option.isNone(partOf)) return yield* observedNight({ ...options, games })
  const night = partOf.value
  return yield* nightInPart(settings, { night, games, index, exportTo }, (gameId) =>
    observedNight({ ...options, games: [gameId], partOf: night })
  )
})

/** Says why a night failed, unless its events have, and ends the command. `unstored`: it was read, but not stored. */
const nightFailed = Effect.fnUntraced(function* (
  { json, log, partOf }: Asked,
  error: { readonly message: string },
  unstored: RunReport | undefined
) {
  if (error instanceof Stopped) return yield* error
  const { verdictText } = yield* Effect.promise(() => import("./night/verdictText.ts"))
  if (log !== "json") yield* printFault(error.message)
  if (unstored !== undefined) yield* printAnswer(json, unstored, verdictText)
  else if (json) yield* printJson({ run: null, verdict: "failed", reason: error.message, games: [] })
  const code = Runtime.getErrorExitCode(error)
  return yield* new Stopped({ code: log === "json" && Option.isNone(partOf) ? 1 : code })
})

/** The nightly run: standard output is the verdict and nothing else; progress goes to standard error. */
export const nightly = Command.make(
  "nightly",
  nightlyFlags,
  Effect.fnUntraced(function* (asked) {
    const { cluster, json, log, partOf, unchangedCode } = asked
    const { observe } = yield* Effect.promise(() => import("../src/night/observe/observe.ts"))
    const { verdictText } = yield* Effect.promise(() => import("./night/verdictText.ts"))
    const { exitCodeOfNight } = yield* Effect.promise(() => import("../src/night/observe/RunReport.ts"))
    const { nightWarning } = yield* Effect.promise(() => import("../src/night/observe/nightEvent.ts"))
    const { exitCodeOfPart, partText } = yield* Effect.promise(() => import("./night/nightInPart.ts"))
    let unstored: RunReport | undefined
    const here = nightHere(asked, (report) => {
      unstored = report
    })
    const work = Effect.gen(function* () {
      if (Option.isNone(partOf) && Option.isSome(cluster)) return yield* nightByFleet(asked, cluster.value)
      return yield* Effect.onInterrupt(here, () => nightWarning("interrupted", interrupted))
    })
    const report = yield* observe({ form: log, write: yield* standardError(log) }, work).pipe(
      Effect.catch((error) => nightFailed(asked, error, unstored))
    )
    const isPart = "night" in report
    yield* isPart ? printAnswer(json, report, partText) : printAnswer(json, report, verdictText)
    const code = isPart ? exitCodeOfPart(report, unchangedCode) : exitCodeOfNight(report)
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
