import { hash } from "node:crypto"
import { Effect, Option, Random, Schema } from "effect"
import { BucketBusy, BucketFailed } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"
import { documentKey } from "./bucketKeys.ts"
import type { Ref } from "./documents.ts"
import { missing } from "./log/commitLog.ts"
import type { NewObject } from "./log/objects.ts"
import { nextOfStrange } from "./nextOfDamage.ts"

/** Decodes a document. `fits` checks that the document belongs to its key. */
const decoded = <S extends Schema.Decoder<unknown>>(
  store: BucketStore,
  {
    fits = () => true,
    path,
    schema
  }: { path: string; schema: S; fits?: ((document: S["Type"]) => boolean) | undefined },
  text: string
): Effect.Effect<S["Type"], BucketFailed> => {
  const read = Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text)
  if (Option.isSome(read) && fits(read.value)) return Effect.succeed(read.value)
  const damage = "its content is not Cardlake's"
  const step = `Read ${store.urlOf(path)}`
  return Effect.fail(new BucketFailed({ step, reason: damage, next: nextOfStrange, damage }))
}

const textOf = <S extends Schema.Encoder<unknown>>(schema: S, value: S["Type"]) =>
  Effect.map(Effect.orDie(Schema.encodeEffect(schema)(value)), (json) => `${JSON.stringify(json)}\n`)

/** Reads a swapped document with its tag; null if it does not exist. */
export const readDocument = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(
  store: BucketStore,
  path: string,
  schema: S,
  fits?: (document: S["Type"]) => boolean
) {
  const found = yield* store.read(path)
  if (found === null) return null
  return { document: yield* decoded(store, { path, schema, fits }, found.text), tag: found.tag }
})

/** True if a document or commit is missing or damaged. */
export const isLost = ({ damage }: BucketFailed) => damage !== undefined

export const isGone = ({ damage }: BucketFailed) => damage === missing

/** Reads an immutable document. */
export const fetchDocument = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(
  store: BucketStore,
  of: {
    readonly gameId: string | null
    readonly kind: string
    readonly ref: Ref
    readonly schema: S
    readonly fits?: (document: S["Type"]) => boolean
  }
) {
  const path = documentKey(of.gameId, of.kind, of.ref)
  const text = yield* store.fetchText(path, of.ref.sha256)
  return yield* decoded(store, { path, schema: of.schema, fits: of.fits }, text)
})

/** Returns an immutable document as an object to store, with its reference. */
export const makeDocument = Effect.fnUntraced(function* <S extends Schema.Encoder<unknown>>(of: {
  readonly gameId: string | null
  readonly kind: string
  readonly attempt: string
  readonly schema: S
  readonly value: S["Type"]
}) {
  const body = Buffer.from(yield* textOf(of.schema, of.value))
  const ref: Ref = { attempt: of.attempt, sha256: hash("sha256", body) }
  const object: NewObject = { key: documentKey(of.gameId, of.kind, ref), from: body, sizeBytes: body.length }
  return { ref, object }
})

/** The maximum number of writers in a document. */
const writersKept = 64

/** More tries than many concurrent runners need. */
const maxTries = 60

/** The number of tries that take ten seconds. */
const triesOfTenSeconds = 9

interface Written {
  readonly writers: ReadonlyArray<string>
}

/**
 * Swaps a document. `change` gets the current content and returns the new content, or null for no change. It is called
 * again after a conflict. If an answer is missing, the document is read again. `unreadable` replaces a document that
 * cannot be read; default: the swap fails. Returns the current content.
 */
export const swapDocument = Effect.fnUntraced(function* <S extends Schema.Codec<Written & object, unknown>, E, R>(
  store: BucketStore,
  path: string,
  schema: S,
  change: (there: S["Type"] | null) => Effect.Effect<S["Type"] | null, E, R>,
  unreadable: (error: BucketFailed) => Effect.Effect<null, BucketFailed> = Effect.fail
) {
  const writer = (yield* Random.nextIntBetween(0, 2 ** 48)).toString(36)
  let unanswered: BucketFailed | null = null
  for (let tries = 0; tries < maxTries; tries++) {
    const found = yield* store.read(path)
    const there =
      found === null
        ? null
        : yield* Effect.catchTag(decoded(store, { path, schema }, found.text), "BucketFailed", unreadable)
    if (there !== null && there.writers.includes(writer)) return there
    const next = yield* change(there)
    if (next === null) return there
    const written: S["Type"] = Object.assign({}, next, { writers: [...next.writers, writer].slice(-writersKept) })
    const swapped = yield* Effect.result(store.swap(path, yield* textOf(schema, written), found?.tag ?? null))
    if (swapped._tag === "Success" && swapped.success) return written
    unanswered = swapped._tag === "Failure" ? swapped.failure : null
    if (unanswered !== null && tries >= 5) break
    if (tries === triesOfTenSeconds)
      yield* Effect.logWarning(`Other runs are writing ${store.urlOf(path)}. Retrying for two minutes`)
    yield* Effect.sleep((yield* Random.nextBetween(0.5, 1.5)) * Math.min(2000, 20 * 2 ** Math.min(tries, 8)))
  }
  const found = yield* readDocument(store, path, schema)
  if (found !== null && found.document.writers.includes(writer)) return found.document
  return yield* unanswered ?? new BucketBusy({ document: store.urlOf(path) })
})
