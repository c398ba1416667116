import { Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { attemptOf, gameKey, gameOf, lakeKey } from "../bucketKeys.ts"
import { NoHomeInBucket } from "../HomeInBucket.ts"

/** A drop has a folder `games/`, too, and a home may lie at it: then it has a lake of its own. */
const isOfHome = (keys: ReadonlyArray<string>): boolean =>
  !keys.includes(`games/${lakeKey}`) &&
  keys.some((key) => attemptOf(key) !== null || key === gameKey(gameOf(key) ?? ""))

/** Whether anything of a home is at an address, whatever of it is lost. What else lies there, such as a drop, is none. */
export const homeIsThere = Effect.fnUntraced(function* (store: BucketStore) {
  if ((yield* store.read(lakeKey)) !== null) return true
  return isOfHome((yield* store.first("games/")).names) || isOfHome((yield* store.first("shared/")).names)
})

/** What the steps of a night in parts say there: the command line is wrong, and the night is planned first. */
export const noNightThere = (address: string): string =>
  `There is no home at ${address}: nothing was ever stored there, so no night is planned. Check the address (CARDLAKE_HOME or --home), or plan the first night there with: cardlake plan`

/** Fails at an address where nothing was ever stored: it may be misspelt. */
export const needHome = Effect.fnUntraced(function* (store: BucketStore) {
  if (!(yield* homeIsThere(store))) return yield* new NoHomeInBucket({ address: store.address })
})
