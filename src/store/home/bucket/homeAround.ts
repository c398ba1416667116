import { Effect } from "effect"
import { type BucketStore, noTag, openStore } from "./BucketStore.ts"
import { monotonicMillis } from "../../../feed/disk/monotonicMillis.ts"
import type { LakeCommit } from "./documents.ts"
import { attemptOfObject, newAttempt, retainedMillis } from "./log/objects.ts"
import { OutputInHome } from "../OutputInHome.ts"
import { BucketUnfit } from "./BucketFailed.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

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
  if (!(yield* homeIsThere(store)))
    return yield* new Fault(
      "NoHomeInBucket",
      `There is no home at ${store.address}: nothing was ever stored there. Check the address (CARDLAKE_HOME or --home), or create a home there with: cardlake nightly`
    )
})

/** Fails with {@link OutputInHome} if a home exists at a prefix above, or, with `here`, at this prefix. */
const refuseHomes = Effect.fnUntraced(function* (store: BucketStore, from: "above" | "here") {
  const [bucket = "", ...names] = store.address.split("/").filter((name, index) => index > 1 && name !== "")
  for (let depth = names.length - (from === "here" ? 0 : 1); depth >= 0; depth--) {
    const above = names.slice(0, depth)
    const prefix = above.map((name) => `${name}/`).join("")
    const found = yield* store.firstKeys(`${prefix}lake/commits/`).pipe(
      // The credentials may be limited to this prefix.
      Effect.catchIf(
        ({ isRefused }) => isRefused === true,
        () => Effect.succeed([])
      )
    )
    if (found.some((key) => isCommit(key.slice(prefix.length))))
      return yield* new OutputInHome({ file: store.address, home: ["s3:/", bucket, ...above].join("/") })
  }
})

/** Fails if an address is inside a home. */
export const outsideOtherHomes = (store: BucketStore) => refuseHomes(store, "above")

/** Fails if an address is a home's or inside one. */
export const outsideBucketHomes = (address: string) =>
  Effect.flatMap(openStore(address), (store) => refuseHomes(store, "here")).pipe(Effect.scoped)

/** True for objects that may exist without a home: probes and budgets of a first run, a reader's cards, a front, the prefix itself. */
const isOurs = (name: string): boolean => /^(probes\/|keys\/|own\/|fronts\/|front\.duckdb|)$/.test(name)

/** True if an address has a home. Otherwise fails unless a home can be created there. */
export const roomForHome = Effect.fnUntraced(function* (store: BucketStore) {
  if (yield* homeIsThere(store)) return true
  yield* outsideOtherHomes(store)
  const holds = (yield* store.first("", "/")).filter((name) => !isOurs(name))
  if (holds.length === 0) return false
  // Another first run may have created the home in the meantime.
  if (yield* homeIsThere(store)) return true
  const names = [...holds.slice(0, 3).map((name) => JSON.stringify(name)), ...(holds.length > 3 ? ["more"] : [])]
  return yield* new Fault(
    "BucketForeign",
    `${store.address} is not empty and not a Cardlake home: it contains ${names.join(", ")}. Nothing was written to it. Name another prefix with CARDLAKE_HOME or --home`
  )
})

const unfit = (store: BucketStore, what: string) =>
  Effect.flatMap(store.name, (name) => new BucketUnfit({ address: store.address, store: name, what }))

/**
 * Checks before a command writes to a home that the store returns what was written, refuses to create an object again
 * and to replace another version, and replaces the version that the writer names. A store that was `checked` less than
 * a week ago, by its clock, is not checked again. Returns the store's name and time.
 */
export const checkStore = Effect.fn("checkStore")(function* (store: BucketStore, checked?: LakeCommit["checked"]) {
  const ageMillis = (store.clock.at(monotonicMillis())?.earliest ?? NaN) - (checked?.atMillis ?? NaN)
  if (checked?.store === (yield* store.name) && Math.abs(ageMillis) < retainedMillis) return checked
  const path = `probes/attempt-${yield* newAttempt}`
  yield* store.swap(path, "first", null)
  return yield* Effect.gen(function* () {
    const first = yield* store.read(path)
    if (first?.text !== "first") return yield* unfit(store, "does not return what was written")
    if (yield* store.swap(path, "second", null)) return yield* unfit(store, "creates an object that already exists")
    if (yield* store.swap(path, "third", noTag))
      return yield* unfit(store, "replaces an object although the writer names another version")
    // If the first answer was lost, a retry was refused. The current content decides.
    yield* store.swap(path, "fourth", first.tag)
    const last = yield* store.read(path)
    if (last?.text !== "fourth")
      return yield* unfit(store, "does not replace an object although the writer names its version")
    return { store: yield* store.name, atMillis: Math.max(0, Math.floor(last.writtenMillis)) }
  }).pipe(Effect.ensuring(Effect.ignore(store.remove(path))))
})
