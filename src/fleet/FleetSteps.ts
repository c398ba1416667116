import { Context, Schema, type Effect } from "effect"

/** How the reading of one game ended. Its report is in the bucket. */
export const GameEnd = Schema.Struct({
  gameId: Schema.String,
  verdict: Schema.String,
  reason: Schema.NullOr(Schema.String)
})
export type GameEnd = typeof GameEnd.Type

export const NightEnd = Schema.Struct({
  night: Schema.String,
  verdict: Schema.String,
  reason: Schema.NullOr(Schema.String),
  games: Schema.Array(GameEnd)
})
export type NightEnd = typeof NightEnd.Type

/**
 * What a worker does of a night. Each may be done again, by the same worker or another one, and then changes nothing:
 * the bucket sees to that. None fails: what went wrong is a verdict.
 */
export class FleetSteps extends Context.Service<
  FleetSteps,
  {
    /** The games of the night, those that took longest last time first. None named: all. */
    readonly plan: (night: string, games: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** One game: read, loaded, compared and judged, and ready in the bucket. */
    readonly read: (night: string, gameId: string) => Effect.Effect<GameEnd>
    /** All that is ready, in one swap. */
    readonly publish: (night: string, games: ReadonlyArray<GameEnd>) => Effect.Effect<NightEnd>
  }
>()("cardlake/fleet/FleetSteps") {}
