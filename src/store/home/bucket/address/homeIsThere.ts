import { Effect } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { attemptOfObject } from "../log/objects.ts"
import { NoHomeInBucket } from "../HomeInBucket.ts"

/** True for a commit of a home, by its key below the home's prefix. */
export const isCommit = (key: string): boolean => /^(?:lake|games\/[^/]+)\/commits\/\d{10}\.json$/.test(key)

/** True for keys of a home. An export has a folder `games/`, too; a home in that folder has games below `games/games/`. */
const isOfHome = (keys: ReadonlyArray<string>): boolean =>
  !keys.some((key) => isCommit(key.slice("games/".length)) && key.startsWith("games/games/")) &&
  keys.some((key) => attemptOfObject(key) !== null || isCommit(key))

/** True if an address has any object of a home, even a damaged home. Other objects, such as an export, do not count. */
export const homeIsThere = Effect.fnUntraced(function* (store: BucketStore) {
  for (const path of ["lake/commits/", "games/", "lake/"]) if (isOfHome(yield* store.first(path))) return true
  return false
})

/** Returns the message for a night in parts without a home: the address is wrong, or the night is not planned. */
export const noNightThere = (address: string): string =>
  `There is no home at ${address}: nothing was ever stored there, so no night is planned. Check the address (CARDLAKE_HOME or --home), or plan the first night there with: cardlake plan`

/** Fails if an address has no home, because it may be misspelt. */
export const needHome = Effect.fnUntraced(function* (store: BucketStore) {
  if (!(yield* homeIsThere(store))) return yield* new NoHomeInBucket({ address: store.address })
})
