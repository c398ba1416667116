import { Effect, Schema } from "effect"
import { Home } from "../home/Home.ts"
import { readSnapshot } from "../home/snapshots.ts"
import { beginRun } from "./beginRun.ts"
import { GameNotInLake } from "./GameNotInLake.ts"
import { publishAs } from "./publishAs.ts"

/** The game has no such snapshot to go back to. */
export class NothingToReturnTo extends Schema.TaggedError<NothingToReturnTo>()("NothingToReturnTo", {
  gameId: Schema.String,
  wanted: Schema.NullOr(Schema.String),
  earlier: Schema.Array(Schema.String)
}) {
  override get message() {
    const what = this.wanted === null ? "a snapshot before its current one" : `${this.wanted} as an earlier snapshot`
    const earlier = this.earlier.length === 0 ? "" : ` It was published as ${this.earlier.join(", ")}.`
    return `${this.gameId} does not have ${what}.${earlier} See what there is with: cardlake snapshots`
  }
}

/** Returns a game to a published snapshot: the one named, else the one before. Later ones stay in the home. */
export const runRollback = Effect.fn("runRollback")(function* (asked: {
  readonly gameId: string
  /** Null = the one before. */
  readonly wanted: string | null
  readonly why: string | null
}) {
  const { gameId, wanted, why } = asked
  const home = yield* Home
  const begun = yield* beginRun("rollback")
  const game = begun.current.games[gameId]
  if (game === undefined) {
    return yield* new GameNotInLake({ wanted: [gameId], games: Object.keys(begun.current.games) })
  }
  const earlier = game.published.filter((snapshot) => snapshot !== game.snapshot)
  const refused = new NothingToReturnTo({ gameId, wanted, earlier })
  const present = yield* readSnapshot(home.snapshot(gameId, game.snapshot))
  const before = game.published[game.published.indexOf(game.snapshot) - 1] ?? null
  const { previous } = present.manifest
  // After an earlier rollback, the list's neighbour is not what the current snapshot followed.
  const oneBack = previous !== null && earlier.includes(previous) ? previous : before
  const target = earlier.find((snapshot) => snapshot === (wanted ?? oneBack))
  if (target === undefined) return yield* refused
  return yield* publishAs(begun, yield* readSnapshot(home.snapshot(gameId, target)), { kind: "rollback", why })
}, Effect.scoped)
