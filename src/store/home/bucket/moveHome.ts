import { Effect } from "effect"
import { claimHome } from "../claimHome.ts"
import { namesIn, removeAll } from "../disk.ts"
import { Home, homeIn } from "../Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { lockHome } from "../lock/lockHome.ts"
import { newRunId } from "../newRunId.ts"
import { checkIn } from "./checkIn.ts"
import { bareCheckout, checkOut } from "./checkOut.ts"
import type { BucketStore } from "./BucketStore.ts"
import { needHome, roomForHome, checkStore } from "./homeAround.ts"
import { attemptOfObject, newAttempt } from "./log/objects.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** The target of a move is not empty. */
const notEmpty = (place: string) =>
  new Fault("NotEmpty", `${place} already exists. Nothing was changed. Choose an empty place with --to`)

/** Copies the home of a folder into a bucket. Publishes last, after all objects. The folder remains unchanged. */
export const homeIntoBucket = Effect.fn("homeIntoBucket")(function* <A, E, R>(
  store: BucketStore,
  beside: Effect.Effect<A, E, R>
) {
  const { root } = yield* Home
  yield* claimHome
  yield* lockHome("move", yield* newRunId)
  const isTaken = yield* Effect.catchTag(roomForHome(store), "BucketForeign", () => Effect.succeed(true))
  if (isTaken) return yield* notEmpty(store.address)
  const attempt = yield* newAttempt
  yield* checkStore(store)
  const put = yield* beside
  const { conflicts } = yield* checkIn(bareCheckout(store, root), attempt, { kind: "other", settle: () => Effect.void })
  if (conflicts.length > 0) return yield* notEmpty(store.address)
  const there = (yield* Effect.forEach(["games/", "lake/"], (path) => store.list(path))).flat()
  const files = there.filter(({ path }) => attemptOfObject(path) !== null).length
  return { files, bytes: there.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), put }
}, Effect.scoped)

/** Copies the home of a bucket into the home's folder, which must be empty. Validates every file's checksum. */
export const homeFromBucket = Effect.fn("homeFromBucket")(function* (store: BucketStore) {
  const { root } = yield* Home
  if ((yield* namesIn(root)).length > 0) return yield* notEmpty(root)
  yield* needHome(store)
  const part = `${root}.moving`
  yield* removeAll(`Make room at ${part}`, [part])
  const { here } = yield* checkOut(store, part, { games: null, of: "newest", folders: "all", runs: "all" })
  yield* here.obtainAll((error) => Effect.fail(error))
  yield* removeAll(`Make room for ${root}`, [root])
  yield* lakeStep(`Rename to ${root}`, (disk) => disk.rename(part, root))
  yield* claimHome.pipe(Effect.provideService(Home, homeIn(root)))
  return { files: here.known.size, bytes: store.moved.fetched }
})
