import { Effect, Schema } from "effect"
import { type Current, readCurrent, Home } from "../../store/home/Home.ts"
import { readSnapshot } from "../../store/home/Manifest.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { beginRun } from "./beginRun.ts"
import { GameNotInLake } from "../../store/lake/GameNotInLake.ts"
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

/** Where a game is to return to. */
interface Asked {
  readonly gameId: string
  /** Null = the one before. */
  readonly wanted: string | null
}

/** The snapshot that a rollback returns to, of what is published: the one named, else the one before. */
const targetIn = Effect.fnUntraced(function* (current: Current, { gameId, wanted }: Asked) {
  const home = yield* Home
  const game = current.games[gameId]
  if (game === undefined) return yield* new GameNotInLake({ wanted: [gameId], games: Object.keys(current.games) })
  const earlier = game.published.filter((snapshot) => snapshot !== game.snapshot)
  const refused = new NothingToReturnTo({ gameId, wanted, earlier })
  const present = yield* readSnapshot(home.snapshot(gameId, game.snapshot))
  const before = game.published[game.published.indexOf(game.snapshot) - 1] ?? null
  // What the current snapshot follows in the history; if that was pruned, what it followed when it was read.
  const followed = [publishedChain(current, gameId, game.snapshot).at(-2), present.manifest.previous]
  const oneBack = followed.find((snapshot) => snapshot != null && earlier.includes(snapshot)) ?? before
  const target = earlier.find((snapshot) => snapshot === (wanted ?? oneBack))
  return target === undefined ? yield* refused : { from: game.snapshot, to: target }
})

/** What a rollback would do: it takes back `from` and publishes `to` again. Nothing is touched. */
export const planRollback = Effect.fn("planRollback")(function* (asked: Asked) {
  return yield* targetIn(yield* readCurrent, asked)
})

/** Returns a game to a published snapshot. Later ones stay in the home. */
export const runRollback = Effect.fn("runRollback")(function* (asked: Asked & { readonly why: string | null }) {
  const { gameId, why } = asked
  const home = yield* Home
  const begun = yield* beginRun("rollback")
  const { to } = yield* targetIn(begun.current, asked)
  return yield* publishAs(begun, yield* readSnapshot(home.snapshot(gameId, to)), { kind: "rollback", why })
}, Effect.scoped)
