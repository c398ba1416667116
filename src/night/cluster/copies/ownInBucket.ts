import { dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import { fileSha256, isThere, recordOfFile, removeAll } from "../../../store/home/disk.ts"
import { readJson, writeJson } from "../../../store/home/jsonFile.ts"
import { BucketBusy } from "../../../store/home/bucket/BucketFailed.ts"
import { type BucketStore, readDocument } from "../../../store/home/bucket/BucketStore.ts"
import { alone, ownPaths, readOwn } from "../../../desk/own/Own.ts"
import { listImports, writeOwnSql } from "../../../desk/own/changeOwn.ts"
import { joinBelow, namedRecord } from "../../../feed/guard/joinBelow.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** Documents that the user changes. Imported files never change. */
const changing = ["collections.json", "watchlist.json", "answers.json", "confirmed-ids.json"]

/** Only paths below `own/` may be written, whatever the bucket's document contains. */
const isOwnPath = (path: string) =>
  changing.includes(path) || /^imports\/[0-9A-Za-z-]{1,64}\/(?:file|cards\.parquet)$/.test(path)
const Sum = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** `own/own.json` of a bucket: the files of the user's cards, by path below `own/`. Objects are named by checksum. */
const OwnDocument = Schema.Struct({
  format: Schema.Literal(1),
  files: namedRecord(isOwnPath, Schema.Struct({ sha256: Sum, sizeBytes: Schema.Int }))
})
type OwnDocument = typeof OwnDocument.Type
const documentKey = "own/own.json"
const objectKey = (sha256: string) => `own/files/${sha256}`

/** `own/fetched.json` of a copy: the files that it got from its bucket. */
const Fetched = Schema.Struct({ files: OwnDocument.fields.files })

/** The files in `own/` of the home that are copied. */
const filesHere = Effect.gen(function* () {
  const { root } = yield* ownPaths
  const imports = listImports(yield* readOwn).flatMap((id) => [`imports/${id}/file`, `imports/${id}/cards.parquet`])
  const paths = [...changing, ...imports].filter((path) => isThere(join(root, path)))
  const files = yield* Effect.forEach(
    paths,
    Effect.fnUntraced(function* (path) {
      const file = join(root, path)
      return [path, yield* recordOfFile(file)] as const
    })
  )
  return Object.fromEntries(files)
})

/** Copies the user's cards into a bucket. Returns the names of the collections. */
export const ownIntoBucket = Effect.fn("ownIntoBucket")(function* (store: BucketStore) {
  const { root } = yield* ownPaths
  if (!isThere(root)) return []
  const copied = Effect.gen(function* () {
    const files = yield* filesHere
    yield* Effect.forEach(
      Object.entries(files),
      ([path, { sha256, sizeBytes }]) => store.create(objectKey(sha256), [{ file: join(root, path) }], sizeBytes),
      { concurrency: 8, discard: true }
    )
    const before = yield* store.read(documentKey)
    const document: OwnDocument = { format: 1, files }
    const isWritten = yield* store.swap(documentKey, `${JSON.stringify(document)}\n`, before?.tag ?? null)
    if (!isWritten) return yield* new BucketBusy({ document: store.urlOf(documentKey) })
    return (yield* readOwn).collections.map(({ name }) => name)
  })
  return yield* alone(copied)
})

/** True if `own/` is empty or unchanged since the last fetch. */
const isAsFetched = Effect.fnUntraced(function* (root: string, fetched: OwnDocument["files"]) {
  const same = yield* Effect.forEach(changing, (path) => {
    const file = join(root, path)
    return isThere(file)
      ? Effect.map(fileSha256(file), (sum) => sum === fetched[path]?.sha256)
      : Effect.succeed(fetched[path] === undefined)
  })
  return same.every(Boolean)
})

/** Replaces `own/` by the bucket's, if it has cards, and returns the names. Fails if cards were changed here. */
export const ownFromBucket = Effect.fn("ownFromBucket")(function* (store: BucketStore) {
  const { root } = yield* ownPaths
  const found = yield* readDocument(store, documentKey, OwnDocument)
  if (found === null) return []
  const { files } = found
  const mark = join(root, "fetched.json")
  const brought = Effect.gen(function* () {
    const fetched = isThere(mark) ? (yield* readJson(mark, Fetched)).files : {}
    if (!(yield* isAsFetched(root, fetched)))
      return yield* new Fault(
        "OwnCardsChanged",
        `${root} already has cards or watched prices, which would be lost. Nothing was fetched. Leave out --with-collection, or choose an empty folder with --to`
      )
    // The document is written last, because it refers to existing files.
    const missing = Object.entries(files).filter(
      ([path, { sha256 }]) => !(isThere(join(root, path)) && fetched[path]?.sha256 === sha256)
    )
    const ofImports = missing.filter(([path]) => !changing.includes(path))
    const documents = missing.filter(([path]) => changing.includes(path))
    const fetch = ([path, { sha256 }]: (typeof missing)[number]) =>
      store.fetch(objectKey(sha256), joinBelow(root, path), sha256)
    yield* Effect.forEach(ofImports, fetch, { concurrency: 8, discard: true })
    yield* writeJson(mark, Fetched, { files })
    yield* Effect.forEach(documents, fetch, { discard: true })
    const deleted = changing.filter((path) => files[path] === undefined)
    yield* removeAll(
      "Remove what the bucket no longer has",
      deleted.map((path) => join(root, path))
    )
    const own = yield* readOwn
    yield* writeOwnSql(own)
    // Only imported files that came from the bucket are deleted.
    const stale = Object.keys(fetched).filter((path) => !changing.includes(path) && files[path] === undefined)
    yield* removeAll(
      "Remove earlier imports",
      stale.map((path) => joinBelow(root, dirname(path)))
    )
    return own.collections.map(({ name }) => name)
  })
  return yield* alone(brought)
})
