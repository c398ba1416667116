import { Context, Duration } from "effect"

/** How long a night waits: for feed files that lag behind the changelog, and for a load that is tried. */
export interface NightPatience {
  /** How often lagging feed files are looked at, and how long apart. */
  readonly looks: number
  readonly everyMillis: number
  /** How long a trial may take; no other game is loaded meanwhile. */
  readonly trial: Duration.Duration
}
export const NightPatience = Context.Reference<NightPatience>("cardlake/run/NightPatience", {
  defaultValue: () => ({ looks: 3, everyMillis: 120_000, trial: Duration.minutes(30) })
})
