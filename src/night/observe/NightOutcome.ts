import type { HeldGame } from "./heldGames.ts"
import type { WatchedPrice } from "../../desk/own/Watchlist.ts"
import type { RunReport } from "./RunReport.ts"

/** A night's report as it is told: what has reached a bound of the watchlist since the reading before is never stored with it. */
export type NightReport = RunReport & { readonly watchHits?: ReadonlyArray<WatchedPrice> }

/** How a night ended: the report of `--json`, or the little that is known about a night that never started. */
export interface NightOutcome {
  readonly report: NightReport | NightWithoutReport
  readonly exitCode: number
  readonly endedMillis: number
  /** What is held when the night has ended, whatever it read itself; absent = not known. */
  readonly held?: ReadonlyArray<HeldGame>
}

/** A night that failed before any game was read: no key, no marketplace, no home. */
export interface NightWithoutReport {
  readonly run: null
  readonly startedAt: string
  readonly verdict: "failed"
  readonly seconds: number
  readonly games: readonly []
  /** What the command line said. */
  readonly reason: string
}
