import { Effect, Random } from "effect"
import { monotonicMillis } from "../../../../feed/disk/monotonicMillis.ts"
import {
  type BudgetRequest,
  BudgetUnasked,
  type KeyBudget,
  type LeasedLimit
} from "../../../../feed/client/limiter/TokenStore.ts"
import { type BucketStore, decoded, encodeText } from "../BucketStore.ts"
import { BucketBusy, type BucketFailed } from "../BucketFailed.ts"
import { isDamaged } from "../documents.ts"
import { pauseAfter } from "../log/commitLog.ts"
import { budgetKey, grantTokens, hashOfKey, isAhead, KeyDocument } from "./keyDocument.ts"

/** More tries than many concurrent runners need. */
const maxTries = 60

/** The number of tries that take ten seconds. */
const triesOfTenSeconds = 9

/** A version of a key's document; null without one, or if it is unreadable. */
interface Version {
  readonly there: KeyDocument | null
  readonly tag: string | null
}

/** Reads a key's document. `unreadable` is called for one that cannot be read, before it is replaced. */
const readVersion = Effect.fnUntraced(function* (
  store: BucketStore,
  path: string,
  unreadable: (error: BucketFailed) => Effect.Effect<null, BucketFailed>
): Effect.fn.Return<Version, BucketFailed> {
  const found = yield* store.read(path)
  if (found === null) return { there: null, tag: null }
  const document = decoded(store, path, KeyDocument, found.text)
  return { there: yield* Effect.catchTag(document, "BucketFailed", unreadable), tag: found.tag }
})

/**
 * Swaps a key's document. `change` gets the current content and returns the new content, or null for no change. It is
 * called again after a conflict, and after a swap without an answer, which may count. The first try continues from
 * `known`. Returns the current version.
 */
export const swapDocument = Effect.fnUntraced(function* <E, R>(
  store: BucketStore,
  path: string,
  change: (there: KeyDocument | null) => Effect.Effect<KeyDocument | null, E, R>,
  unreadable: (error: BucketFailed) => Effect.Effect<null, BucketFailed>,
  known: Version | null = null
) {
  const read = readVersion(store, path, unreadable)
  let version = known ?? (yield* read)
  for (let tries = 0; tries < maxTries; tries++) {
    const next = yield* change(version.there)
    if (next !== null) {
      const swapped = yield* Effect.result(store.swap(path, yield* encodeText(KeyDocument, next), version.tag))
      if (swapped._tag === "Success" && swapped.success !== null) return { there: next, tag: swapped.success }
      if (swapped._tag === "Failure" && tries >= 5) return yield* swapped.failure
      if (tries === triesOfTenSeconds)
        yield* Effect.logWarning(`Other runs are writing ${store.urlOf(path)}. Retrying for two minutes`)
      yield* Effect.sleep(yield* pauseAfter(tries))
    } else if (version !== known) return version
    version = yield* read
  }
  return yield* new BucketBusy({ document: store.urlOf(path) })
})

/** Returns the minimum of the grants of several tries, all of which may count. */
const minimums = (tries: ReadonlyArray<ReadonlyMap<string, LeasedLimit>>) => {
  const last = tries.at(-1) ?? new Map<string, LeasedLimit>()
  return new Map(
    Array.from(last, ([id, leased]) => {
      const tokens = Math.min(...tries.map((one) => one.get(id)?.tokens ?? 0))
      return [id, { ...leased, tokens }] as const
    })
  )
}

/** Creates an empty document. If the home has content, an earlier document may be lost while others have leases. */
const newDocument = Effect.fnUntraced(function* (
  store: BucketStore,
  { leaseMillis, travelMillis }: BudgetRequest,
  latest: number,
  wasThere: boolean
) {
  const isNew =
    !wasThere && (yield* store.first("lake/commits/")).length === 0 && (yield* store.folders("games")).length === 0
  const [since, heldUntil] = isNew ? [null, 0] : [latest, latest + leaseMillis + travelMillis]
  return { format: 1, since, heldUntil, workers: {}, limits: {}, facts: [] } satisfies KeyDocument
})

const makeBudget = (store: BucketStore, hash: string, worker: string): KeyBudget => {
  const path = budgetKey(hash)
  /** The version that this worker read or wrote last. */
  let known: Version | null = null
  let wasThere = false
  const again = (why: string) => {
    wasThere = true
    return Effect.logWarning(
      `${store.urlOf(path)}, the requests that workers spent of an API key, ${why}. It is reset: no requests for a lease, then for one window only what is certainly free`
    )
  }
  const unreadable = (error: BucketFailed) =>
    isDamaged(error) ? Effect.as(again("cannot be read"), null) : Effect.fail(error)
  const lease = Effect.fnUntraced(function* (request: BudgetRequest) {
    const tries: Array<ReadonlyMap<string, LeasedLimit>> = []
    let sentMillis = Infinity
    const change = Effect.fnUntraced(function* (there: KeyDocument | null) {
      const now = monotonicMillis()
      sentMillis = Math.min(sentMillis, now)
      const time = store.clock.at(now)
      if (time === null) return yield* new BudgetUnasked({ reason: `${store.address} does not send the time` })
      const isWrong = there !== null && isAhead(there, request, time)
      if (isWrong) yield* again("has times that are far ahead of the store's clock")
      const isNew = there === null || isWrong
      const found = isNew ? yield* newDocument(store, request, time.latest, wasThere) : there
      wasThere = true
      const { isChanged, leased, next } = grantTokens(found, worker, request, time)
      tries.push(leased)
      return isChanged || isNew ? next : null
    })
    const from = known
    known = null
    known = yield* store.patience.ask(swapDocument(store, path, change, unreadable, from))
    return { limits: minimums(tries), sentMillis, facts: known.there?.facts ?? [] }
  })
  const facts = Effect.gen(function* () {
    known = yield* store.patience.ask(readVersion(store, path, unreadable))
    return known.there?.facts ?? []
  })
  const unasked = (error: { readonly message: string }) =>
    error instanceof BudgetUnasked
      ? error
      : new BudgetUnasked({ reason: error.message, isFinal: store.patience.isOver() })
  return {
    label: hash.slice(0, 4),
    facts: Effect.mapError(facts, unasked),
    lease: (request) => Effect.mapError(lease(request), unasked)
  }
}

/** Opens budgets that workers share through documents in a bucket. */
export const bucketBudgets =
  (store: BucketStore) =>
  (key: string): Effect.Effect<KeyBudget> =>
    Effect.gen(function* () {
      const worker = (yield* Random.nextIntBetween(0, 2 ** 48)).toString(36)
      return makeBudget(store, yield* hashOfKey(key), worker)
    })
