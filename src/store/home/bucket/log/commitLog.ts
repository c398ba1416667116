import { hash } from "node:crypto"
import { DateTime, Effect, Option, Random, Schema } from "effect"
import { homeFormat } from "../../HomeMarker.ts"
import { BucketBusy, BucketFailed, missing, nextOfDamage } from "../BucketFailed.ts"
import { type BucketStore, decoded, type FoundObject } from "../BucketStore.ts"
import { newAttempt, retainedMillis } from "./objects.ts"
import { monotonicMillis } from "../../../../feed/disk/monotonicMillis.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const commitFields = {
  format: Schema.Literal(homeFormat),
  number: Count,
  /** The checksum of the commit before it; null if there is none, or if a repair found it missing. */
  before: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))),
  /** The attempt that wrote it. See `newAttempt`. */
  attempt: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z-]{0,64}$/)),
  /** The number of the first retained commit. Garbage collection may delete the commits before it. */
  lowest: Count,
  at: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T[\d:.]{5,16}Z$/))
}
const Fields = Schema.Struct(commitFields)
export type CommitBase = typeof Fields.Type

/** A log of commits below a folder of the bucket: `lake` or `games/<game>`. */
export interface CommitLog<A extends CommitBase> {
  readonly room: string
  readonly schema: Schema.Codec<A, unknown>
  /** True if a commit belongs to this log. Default: any does. */
  readonly fits?: (commit: A) => boolean
}

/** The content of a commit that has no number yet. */
export type Draft<A> = Omit<A, Exclude<keyof CommitBase, "lowest">>

/** A number of a log. A writer continues from the newest one. */
interface Base {
  readonly number: number
  /** The bytes of its commit; null if a repair found the commit missing and continues after its number. */
  readonly text: string | null
  /** The earliest time of its read by the store's clock; absent or null: unknown. */
  readonly readMillis?: number | null
}

export interface Stored<A> extends Base {
  readonly commit: A
  /** The other objects in the list that found the newest commit. */
  readonly beside?: ReadonlyArray<FoundObject>
}

export const commitKey = (room: string, number: number): string =>
  `${room}/commits/${String(number).padStart(10, "0")}.json`

/** Returns the checksum of a commit, which other commits name. */
export const sumOfCommit = ({ text }: Base): string | null => (text === null ? null : hash("sha256", text))

/** The damage of a commit that is not the one that the lake names. */
export const unlikeLake = "its bytes are not those that the lake names"

/** Reads a commit; null if it is missing. Fails if its content is not a commit of this log and number. */
export const readCommit = Effect.fnUntraced(function* <A extends CommitBase>(
  store: BucketStore,
  { fits = () => true, room, schema }: CommitLog<A>,
  number: number
) {
  const key = commitKey(room, number)
  const readMillis = store.clock.at(monotonicMillis())?.earliest ?? null
  const found = yield* store.read(key)
  if (found === null) return null
  const isOwn = (commit: A) => commit.number === number && fits(commit)
  const commit = yield* decoded(store, key, schema, found.text, isOwn)
  return { number, text: found.text, readMillis, commit } satisfies Stored<A>
})

const parseNumber = ({ path }: FoundObject): number => Number(/\/commits\/(\d{10})\.json$/.exec(path)?.[1] ?? 0)

const listCommits = (store: BucketStore, room: string, from = 1) =>
  store.list(`${room}/commits/`, from > 1 ? commitKey(room, from - 1) : undefined)

/** Lists the numbers of a log in ascending order, from `from` on. A list may lag. */
export const listNumbers = (store: BucketStore, room: string, from = 1) =>
  Effect.map(listCommits(store, room, from), (found) =>
    found.flatMap((one) =>
      parseNumber(one) >= from ? [{ number: parseNumber(one), writtenMillis: one.writtenMillis }] : []
    )
  )

/**
 * Reads the newest commit; null if the log is empty. `known` is a number that another commit names, so a commit with
 * at least this number must exist.
 */
export const readHead = Effect.fnUntraced(function* <A extends CommitBase>(
  store: BucketStore,
  log: CommitLog<A>,
  known = 0
) {
  const listed = yield* listCommits(store, log.room, known)
  const number = Math.max(known, ...listed.map(parseNumber))
  if (number === 0) return null
  const found = yield* readCommit(store, log, number)
  if (found === null) return yield* store.damaged(commitKey(log.room, number), missing)
  return { ...found, beside: listed.filter((one) => parseNumber(one) === 0) } satisfies Stored<A>
})

/** The maximum number of writes of a commit, if answers or confirmed writes are lost. */
const maxWrites = 5

const SecondCommit = Schema.fromJsonString(Schema.Struct({ before: Schema.NullOr(Schema.String) }))

/** The time after a read of a log's newest commit in which garbage collection cannot delete it, also if the list lagged. */
const undeletedMillis = retainedMillis / 7

/**
 * True if the commit that the writer continues from is still there. It is not read again within a day. A first commit has none: then the second one
 * follows it, if there are later ones.
 */
const isStillThere = Effect.fnUntraced(function* (store: BucketStore, room: string, base: Base | null, text: string) {
  const latest = store.clock.at(monotonicMillis())?.latest
  if (base?.readMillis != null && latest !== undefined && latest - base.readMillis < undeletedMillis) return true
  if (base !== null) return ((yield* store.read(commitKey(room, base.number)))?.text ?? null) === base.text
  if ((yield* listNumbers(store, room, 2)).length === 0) return true
  const second = Schema.decodeUnknownOption(SecondCommit)((yield* store.read(commitKey(room, 2)))?.text)
  return Option.isSome(second) && second.value.before === hash("sha256", text)
})

/**
 * Writes the commit after `base`; null if another writer has its number. The answer to the write does not matter: the
 * writer has won if the number returns its bytes. Collection deletes commits in ascending order, so `base` proves that
 * the number was never used. If `base` is deleted, this process was suspended for a week, and fails.
 */
const append = Effect.fnUntraced(function* <A extends CommitBase>(
  store: BucketStore,
  { room, schema }: CommitLog<A>,
  base: Base | null,
  attempt: string,
  draft: Draft<A>
) {
  const number = (base?.number ?? 0) + 1
  const key = commitKey(room, number)
  const at = DateTime.formatIso(yield* DateTime.now)
  const before = base === null ? null : sumOfCommit(base)
  const encoded = Schema.encodeUnknownEffect(schema)({ ...draft, format: homeFormat, number, before, attempt, at })
  const text = `${JSON.stringify(yield* Effect.orDie(encoded))}\n`
  let failure: BucketFailed | null = null
  let isRefused = true
  for (let tries = 0; tries < maxWrites; tries++) {
    if (tries > 0) yield* Effect.sleep(100 * 2 ** tries)
    const written = yield* Effect.result(store.swap(key, text, null))
    failure = written._tag === "Failure" ? written.failure : null
    isRefused &&= written._tag === "Success" && !written.success
    const found = yield* store.read(key)
    if (isRefused && found !== null && found.text !== text) return null
    if (!(yield* isStillThere(store, room, base, text))) return yield* new BucketBusy({ document: store.urlOf(key) })
    if (found === null) continue
    if (found.text !== text) return null
    const commit = yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(text))
    return { number, text, commit } satisfies Stored<A>
  }
  const reason = "the store confirmed the write several times and does not have the object"
  return yield* (
    failure ??
      new BucketFailed({ step: `Write ${store.urlOf(key)}`, reason, next: "Check the store, then run this again" })
  )
})

/** Returns the random time in milliseconds after which a writer that was too late tries again. */
export const pauseAfter = (tries: number) =>
  Effect.map(Random.nextBetween(0.5, 1.5), (factor) => factor * Math.min(2000, 20 * 2 ** Math.min(tries, 8)))

/** The maximum number of commits of others that a writer follows. */
const maxTries = 60

/** How a command continues a log. */
export interface Continuation<A, E, R> {
  /** The newest commit that the writer has read, before it stored any object of its attempt. */
  readonly from: Stored<A> | null
  readonly attempt: string
  /**
   * Stores the objects of the next commit under the attempt, and returns the commit; null for none. After a conflict it
   * is called again with a new attempt, and stores all of its objects again.
   */
  readonly next: (from: Stored<A> | null, attempt: string) => Effect.Effect<Draft<A> | null, E, R>
}

/** Adds a commit to a log. Returns the newest commit, and whether this writer has written it. */
export const continueLog = Effect.fn("continueLog")(function* <A extends typeof Fields.Type, E, R>(
  store: BucketStore,
  log: CommitLog<A>,
  { from, next, ...first }: Continuation<A, E, R>
) {
  let { attempt } = first
  let base = from
  for (let tries = 0; tries < maxTries; tries++) {
    const draft = yield* next(base, attempt)
    if (draft === null) return { head: base, isOwn: false }
    const head = yield* append(store, log, base, attempt, draft)
    if (head !== null) return { head, isOwn: true }
    if (tries === 9) yield* Effect.logWarning(`Other runs are writing ${store.urlOf(log.room)}. Retrying`)
    yield* Effect.sleep(yield* pauseAfter(tries))
    base = yield* readHead(store, log, (base?.number ?? 0) + 1)
    attempt = yield* newAttempt
  }
  return yield* new BucketBusy({ document: store.urlOf(log.room) })
})

/** The retained commits of a log, newest first, and the damaged ones. */
export interface ExaminedLog<A> {
  readonly newest: number
  readonly whole: ReadonlyArray<Stored<A>>
  readonly damage: ReadonlyArray<{
    readonly number: number
    readonly key: string
    readonly what: string
    readonly next: string
  }>
}

/** Reads all retained commits, newest first, from the one that another commit names or a list shows. */
export const examineLog = Effect.fnUntraced(function* <A extends CommitBase>(
  store: BucketStore,
  log: CommitLog<A>,
  named: { readonly number: number; readonly sum?: string } = { number: 0 }
) {
  const listed = yield* listNumbers(store, log.room)
  let newest = Math.max(named.number, listed.at(-1)?.number ?? 0)
  // A list may be older than the newest commits, so the keys after it are read, too.
  while ((yield* store.read(commitKey(log.room, newest + 1))) !== null) newest++
  const whole: Array<Stored<A>> = []
  const damage: Array<ExaminedLog<A>["damage"][number]> = []
  const lowest = () => Math.max(1, whole[0]?.commit.lowest ?? listed[0]?.number ?? named.number)
  for (let number = newest; number >= lowest(); number--) {
    const key = commitKey(log.room, number)
    const found = yield* Effect.result(readCommit(store, log, number))
    if (found._tag === "Failure" && found.failure.damage === undefined) return yield* found.failure
    const commit = found._tag === "Success" ? found.success : null
    const sum = commit === null ? null : sumOfCommit(commit)
    const after = whole.at(-1)
    let what = found._tag === "Failure" ? found.failure.reason : commit === null ? missing : null
    if (what === null && after?.number === number + 1 && after.commit.before !== sum)
      what = "the commit after it names other bytes"
    if (what === null && named.number === number && (named.sum ?? sum) !== sum) what = unlikeLake
    if (what !== null) damage.push({ number, key, what, next: nextOfDamage(key, what) })
    else if (commit !== null) whole.push(commit)
  }
  return { newest, whole, damage } satisfies ExaminedLog<A>
})

/**
 * Continues a log after damage: a commit with a number above all others, which retains only commits after the damaged
 * ones. `repaired` gets the newest intact commit. Returns null if there is nothing to continue with, or if another
 * writer was faster.
 */
export const repairLog = Effect.fn("repairLog")(function* <A extends CommitBase>(
  store: BucketStore,
  log: CommitLog<A>,
  { damage, newest, whole }: ExaminedLog<A>,
  repaired: (commit: A | null) => Draft<A> | null = (commit) => commit
) {
  const draft = repaired(whole[0]?.commit ?? null)
  if (draft === null) return null
  const lowest = Math.max(draft.lowest, ...damage.map(({ number }) => number + 1))
  const text = (yield* store.read(commitKey(log.room, newest)))?.text ?? null
  return yield* append(store, log, { number: newest, text }, yield* newAttempt, { ...draft, lowest })
})
