import { Effect } from "effect"
import { OutputInHome } from "../../OutputInHome.ts"
import { type BucketStore, openStore } from "../BucketStore.ts"
import { isCommit } from "./homeIsThere.ts"

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
