import { hash } from "node:crypto"
import { Effect, Option, Random, Schema } from "effect"
import { BucketBusy, BucketFailed } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"
import { documentKey } from "./bucketKeys.ts"
import type { Ref } from "./documents.ts"
import { nextOfMade, nextOfStrange } from "./nextOfDamage.ts"

/** Decodes a document; `fits`: whether it belongs where it is. */
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
  return Effect.fail(new BucketFailed({ step, reason: damage, next: nextOfStrange(path), damage }))
}

const textOf = <S extends Schema.Encoder<unknown>>(schema: S, value: S["Type"]) =>
  Effect.map(Effect.orDie(Schema.encodeEffect(schema)(value)), (json) => `${JSON.stringify(json)}\n`)

/** A swapped document with its tag; null if nothing is there. */
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

const gone = "it is missing"

/** A swapped document is not there any more. */
export const documentGone = (store: BucketStore, path: string, next = nextOfMade) =>
  new BucketFailed({ step: `Read ${store.urlOf(path)}`, reason: gone, next, damage: gone })

/** A swapped document is an older one than others follow. */
export const documentBehind = (store: BucketStore, path: string) => {
  const damage = "it is older than what is published"
  return new BucketFailed({ step: `Read ${store.urlOf(path)}`, reason: damage, next: nextOfMade, damage })
}

export const isGone = ({ damage }: BucketFailed) => damage === gone

/** A document is gone, or is not what was written there. */
export const isLost = ({ damage }: BucketFailed) => damage !== undefined

/** A list of runs follows from their reports; what any other document says, nothing else has. */
const nextOf = (kind: string) => (error: BucketFailed) =>
  kind === "runs" && error.damage !== undefined ? new BucketFailed({ ...error, next: nextOfMade }) : error

/** A document that never changes. */
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
  const text = yield* Effect.mapError(store.fetchText(path, of.ref.sha256), nextOf(of.kind))
  return yield* decoded(store, { path, schema: of.schema, fits: of.fits }, text)
})

/** Stores a document that never changes. */
export const storeDocument = Effect.fnUntraced(function* <S extends Schema.Encoder<unknown>>(
  store: BucketStore,
  of: {
    readonly gameId: string | null
    readonly kind: string
    readonly attempt: string
    readonly schema: S
    readonly value: S["Type"]
  }
) {
  const body = Buffer.from(yield* textOf(of.schema, of.value))
  const ref: Ref = { attempt: of.attempt, sha256: hash("sha256", body) }
  const key = documentKey(of.gameId, of.kind, ref)
  yield* store.create(key, body, body.length)
  store.documents.set(key, body)
  return ref
})

/** So many writers a document remembers. */
const writersKept = 64

/** More tries than a crowd of runners needs. */
const maxTries = 60

/** So many tries take ten seconds. */
const triesOfTenSeconds = 9

interface Written {
  readonly writers: ReadonlyArray<string>
}

/**
 * Swaps a document: `change` gets what is there and says what is to be there, or null if nothing has to be done. If
 * somebody else was faster it is asked again. An answer that was lost is settled by reading. `unreadable`: what a document
 * that cannot be read counts as; default: it fails. Returns what is there now.
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
