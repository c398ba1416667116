import { Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import type { GameCommit, LakeCommit } from "../documents.ts"
import { gameLog, lakeLog } from "../gameInBucket.ts"
import { commitKey, examineLog, type ExaminedLog, sumOfCommit } from "../log/commitLog.ts"
import { nextOfDocument, nextOfMade } from "../nextOfDamage.ts"

/** A log without an intact commit cannot be repaired. */
const withNext = <A>(log: ExaminedLog<A>): ExaminedLog<A> =>
  log.whole.length > 0 ? log : { ...log, damage: log.damage.map((one) => ({ ...one, next: nextOfDocument })) }

/** Finds a published commit whose bytes are not those that the lake names. */
const withPublished = (
  log: ExaminedLog<GameCommit>,
  published: LakeCommit["games"][string] | undefined,
  keyOf: (number: number) => string
): ExaminedLog<GameCommit> => {
  const other = log.whole.find((one) => one.number === published?.number && sumOfCommit(one) !== published.sum)
  if (other === undefined) return log
  const { number } = other
  const damage = { number, key: keyOf(number), what: "its bytes are not those that the lake names", next: nextOfMade }
  return { ...log, whole: log.whole.filter((one) => one !== other), damage: [...log.damage, damage] }
}

/** Reads all retained commits of a bucket. */
export const examineLogs = Effect.fn("examineLogs")(function* (store: BucketStore) {
  const first = yield* examineLog(store, lakeLog)
  const published = first.whole[0]?.commit.games ?? {}
  const names = new Set([...Object.keys(published), ...(yield* store.folders("games"))])
  const all = yield* Effect.forEach(
    names,
    (gameId) =>
      Effect.map(
        examineLog(store, gameLog(gameId), published[gameId]?.number),
        (log) =>
          [gameId, withNext(withPublished(log, published[gameId], (n) => commitKey(gameLog(gameId).room, n)))] as const
      ),
    { concurrency: 8 }
  )
  const games = new Map(all)
  const seen = Math.max(0, ...all.map(([, { whole }]) => whole[0]?.commit.lake ?? 0))
  const lake = seen > first.newest ? yield* examineLog(store, lakeLog, seen) : first
  return { lake, games, damage: [...lake.damage, ...[...games.values()].flatMap(({ damage }) => damage)] }
})
