import { Effect } from "effect"
import { type Current, readCurrent, Home } from "../../store/home/Home.ts"
import { readSnapshot } from "../../store/home/Manifest.ts"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { beginRun } from "./beginRun.ts"
import { GameNotInLake } from "../../store/lake/publish/openLake.ts"
import { publishAs } from "./publishAs.ts"
import { Fault } from "../../feed/contract/Fault.ts"

interface RollbackTarget {
  readonly gameId: string
  /** Null selects the preceding one. */
  readonly wanted: string | null
}

/** Returns the published snapshot that a rollback returns to: the named one, else the preceding one. */
const targetIn = Effect.fnUntraced(function* (current: Current, { gameId, wanted }: RollbackTarget) {
  const home = yield* Home
  const game = current.games[gameId]
  if (game === undefined) return yield* new GameNotInLake({ wanted: [gameId], games: Object.keys(current.games) })
  const earlier = game.published.filter((snapshot) => snapshot !== game.snapshot)
  const present = yield* readSnapshot(home.snapshot(gameId, game.snapshot))
  const before = game.published[game.published.indexOf(game.snapshot) - 1] ?? null
  // The current snapshot's predecessor in the history; if that was pruned, its predecessor when it was read.
  const followed = [publishedChain(current, gameId, game.snapshot).at(-2), present.manifest.previous]
  const oneBack = followed.find((snapshot) => snapshot != null && earlier.includes(snapshot)) ?? before
  const target = earlier.find((snapshot) => snapshot === (wanted ?? oneBack))
  if (target !== undefined) return { from: game.snapshot, to: target }
  const what = wanted === null ? "a snapshot before its current one" : `${wanted} as an earlier snapshot`
  const others = earlier.length === 0 ? "" : ` It was published as ${earlier.join(", ")}.`
  return yield* new Fault(
    "NothingToReturnTo",
    `${gameId} does not have ${what}.${others} See what there is with: cardlake snapshots`
  )
})

/** Returns what a rollback would do, without changes: it takes back `from` and publishes `to` again. */
export const planRollback = Effect.fn("planRollback")(function* (target: RollbackTarget) {
  return yield* targetIn(yield* readCurrent, target)
})

/** Returns a game to a published snapshot. Later ones are kept in the home. */
export const runRollback = Effect.fn("runRollback")(function* (
  target: RollbackTarget & { readonly why: string | null }
) {
  const { gameId, why } = target
  const home = yield* Home
  const begun = yield* beginRun("rollback")
  const { to } = yield* targetIn(begun.current, target)
  return yield* publishAs(begun, yield* readSnapshot(home.snapshot(gameId, to)), { kind: "rollback", why })
}, Effect.scoped)
