import type { HeldGame } from "./heldGames.ts"
import type { WatchedPrice } from "../../desk/own/Watchlist.ts"
import type { RunReport } from "./RunReport.ts"

/** A night's report for output. Newly reached bounds of the watchlist are never stored with it. */
export type NightReport = RunReport & { readonly watchHits?: ReadonlyArray<WatchedPrice> }

/** The outcome of a night: the report of `--json`, or the few facts about a night that never started. */
export interface NightOutcome {
  readonly report: NightReport | NightWithoutReport
  readonly exitCode: number
  readonly endedMillis: number
  /** Held games after the night, including those that it did not read; absent if unknown. */
  readonly held?: ReadonlyArray<HeldGame>
}

/** A night that failed before any game was read: no key, no marketplace, no home. */
export interface NightWithoutReport {
  readonly run: null
  readonly startedAt: string
  readonly verdict: "failed"
  readonly seconds: number
  readonly games: readonly []
  /** The error of the command line. */
  readonly reason: string
  /** True if it would have published nothing. Absent otherwise. */
  readonly dryRun?: true
}
