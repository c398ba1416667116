import type { RunReport } from "./RunReport.ts"

/** How a night ended, for those who were not there: the report of `--json`, or what a night that never came to one leaves. */
export interface NightOutcome {
  readonly report: RunReport | NightWithoutReport
  readonly exitCode: number
  readonly endedMillis: number
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
