import { Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { attemptOf, gameKey, gameOf, lakeKey } from "../bucketKeys.ts"
import { NoHomeInBucket } from "../HomeInBucket.ts"

/** True for keys of a home. An export has a folder `games/`, too; a home in that folder has `games/lake.json`. */
const isOfHome = (keys: ReadonlyArray<string>): boolean =>
  !keys.includes(`games/${lakeKey}`) &&
  keys.some((key) => attemptOf(key) !== null || key === gameKey(gameOf(key) ?? ""))

/** True if an address has any object of a home, even a damaged home. Other objects, such as an export, do not count. */
export const homeIsThere = Effect.fnUntraced(function* (store: BucketStore) {
  if ((yield* store.read(lakeKey)) !== null) return true
  return isOfHome((yield* store.first("games/")).names) || isOfHome((yield* store.first("shared/")).names)
})

/** Returns the message for a night in parts without a home: the address is wrong, or the night is not planned. */
export const noNightThere = (address: string): string =>
  `There is no home at ${address}: nothing was ever stored there, so no night is planned. Check the address (CARDLAKE_HOME or --home), or plan the first night there with: cardlake plan`

/** Fails if an address has no home, because it may be misspelt. */
export const needHome = Effect.fnUntraced(function* (store: BucketStore) {
  if (!(yield* homeIsThere(store))) return yield* new NoHomeInBucket({ address: store.address })
})
