import { Cause, type Context, Duration, Effect, Exit, type Layer } from "effect"
import { scrubbing, nightEvent } from "../../src/night/observe/Observation.ts"
import type { ExportReport, RunReport } from "../../src/night/observe/RunReport.ts"
import { exportWithLineage } from "../../src/night/observe/lineage/exportLineage.ts"
import { listSkipReasons } from "../../src/warehouse/exportDrop.ts"
import { findBucket, inHome, readNeeds } from "../flags/inHome.ts"
import { writtenBy } from "../print/exportText.ts"
import { allServices } from "../settings/marketServices.ts"
import { formatFailure } from "./sendOutcome.ts"

export type NightServices = Layer.Success<ReturnType<typeof allServices>>

/** Adds the result of the export to a night's report. Neither the publication nor a game's verdict changes. */
export const withExport = Effect.fnUntraced(function* (report: RunReport, to: string) {
  const scrub = yield* scrubbing
  const [took, exit] = yield* Effect.timed(Effect.exit(exportWithLineage({ to, ...asTheDropIs })))
  if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
  const seconds = Duration.toSeconds(took)
  const written = Exit.isSuccess(exit) ? writtenBy(exit.value) : { partitions: null, rows: null, bytes: null }
  const reasons = Exit.isSuccess(exit) ? listSkipReasons(exit.value) : [formatFailure(exit.cause)]
  const result: ExportReport =
    reasons.length === 0
      ? { to, verdict: "exported", reason: null, ...written, seconds }
      : { to, verdict: "failed", reason: scrub(reasons.join(". ")), ...written, seconds }
  yield* nightEvent("export", { run: report.run, ...result }, result.verdict === "failed" ? "Error" : "Info")
  return { ...report, seconds: report.seconds + seconds, export: result } satisfies RunReport
})

const asTheDropIs = {
  games: [],
  tables: [],
  span: { since: null, until: null, backfill: false },
  compression: "snappy",
  decimals: null,
  format: null
} as const

/** Exports what is published. From a bucket it fetches everything, not only the night's files. */
export const exporting = Effect.fnUntraced(function* (
  settings: Record<string, string>,
  { report, services }: { readonly report: RunReport; readonly services: Context.Context<NightServices> },
  to: string
) {
  const exported = withExport(report, to)
  if ((yield* findBucket(settings)) === null) return yield* Effect.provideContext(exported, services)
  return yield* inHome(settings, { work: readNeeds("all"), services: allServices }, () => exported)
})
