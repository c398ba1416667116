import { afterAll, assert, beforeEach } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import type { BucketStore } from "../../../src/store/home/bucket/BucketStore.ts"
import {
  commitFields,
  type CommitLog,
  continueLog,
  examineLog,
  readHead,
  repairLog,
  type Stored
} from "../../../src/store/home/bucket/log/commitLog.ts"
import { live } from "../../support/suite.ts"
import { startConditionalStore, useStore } from "./conditionalStore.ts"

const Note = Schema.Struct({ ...commitFields, words: Schema.String })
type Note = typeof Note.Type
const log: CommitLog<Note> = { room: "games/fable", schema: Note }

const store = await startConditionalStore()
afterAll(store.stop)
const inStore = <A, E>(use: (bucket: BucketStore) => Effect.Effect<A, E>) =>
  Effect.promise(() => useStore(store.env, "s3://lakes/home", use))
const keyOf = (number: number) => `home/games/fable/commits/000000000${number}.json`

/** Adds a commit to the log. */
const add = (bucket: BucketStore, words: string, known = 0) =>
  Effect.flatMap(readHead(bucket, log, known), (from) =>
    continueLog(bucket, log, {
      from,
      attempt: words,
      next: (base: Stored<Note> | null) => Effect.succeed({ lowest: 1, ...base?.commit, words })
    })
  )

beforeEach(async () => {
  store.objects.clear()
  await Effect.runPromise(inStore((bucket) => Effect.forEach(["one", "two", "three"], (words) => add(bucket, words))))
})

const spoil = (number: number, change: (text: string) => string) => {
  const there = store.objects.get(keyOf(number))
  assert.isDefined(there)
  store.objects.set(keyOf(number), { ...there, body: Buffer.from(change(there.body.toString("utf8"))) })
}

/** Another commit names the third one. */
const known = 3

/** What a damaged log reads, what a writer adds, and what a repair leaves. Null: it fails. */
const damage: ReadonlyArray<{
  readonly harm: string
  readonly do: () => void
  readonly names: ReadonlyArray<string>
  readonly reads: string | null
  readonly writes: number | null
  readonly repairs: string | null
}> = [
  {
    harm: "an old commit is missing",
    do: () => store.objects.delete(keyOf(2)),
    names: ["2 it is missing"],
    reads: "three",
    writes: 4,
    repairs: "4 three"
  },
  {
    harm: "an old commit is cut",
    do: () => spoil(2, (text) => text.slice(0, 40)),
    names: ["2 its content is not Cardlake's"],
    reads: "three",
    writes: 4,
    repairs: "4 three"
  },
  {
    harm: "an old commit is replaced",
    do: () => spoil(2, (text) => text.replace("two", "2")),
    names: ["2 the commit after it names other bytes"],
    reads: "three",
    writes: 4,
    repairs: "4 three"
  },
  {
    harm: "the newest commit is missing",
    do: () => store.objects.delete(keyOf(3)),
    names: ["3 it is missing"],
    reads: null,
    writes: null,
    repairs: "4 two"
  },
  {
    harm: "the newest commit is cut",
    do: () => spoil(3, (text) => text.slice(0, 40)),
    names: ["3 its content is not Cardlake's"],
    reads: null,
    writes: null,
    repairs: "4 two"
  },
  {
    harm: "all commits are missing",
    do: () => [1, 2, 3].forEach((number) => store.objects.delete(keyOf(number))),
    names: ["3 it is missing"],
    reads: null,
    writes: null,
    repairs: null
  }
]

for (const { do: harm, harm: what, names, reads, repairs, writes } of damage)
  live(`${what}: it is named, and a repair retains ${repairs ?? "nothing"}`, function* () {
    harm()
    const found = yield* inStore((bucket) => examineLog(bucket, log, known))
    assert.deepStrictEqual(
      found.damage.map((one) => `${Number(one.key.slice(-15, -5))} ${one.what}`),
      names
    )
    const head = yield* inStore((bucket) => Effect.result(readHead(bucket, log, known)))
    assert.strictEqual(Result.isSuccess(head) ? head.success?.commit.words : null, reads)
    const saved = new Map(store.objects)
    const added = yield* inStore((bucket) => Effect.result(add(bucket, "four", known)))
    assert.strictEqual(Result.isSuccess(added) ? added.success.head?.number : null, writes)
    store.objects.clear()
    for (const [key, stored] of saved) store.objects.set(key, stored)
    const repaired = yield* inStore((bucket) => repairLog(bucket, log, found))
    assert.strictEqual(repaired === null ? null : `${repaired.number} ${repaired.commit.words}`, repairs)
    if (repairs === null) return
    assert.deepStrictEqual((yield* inStore((bucket) => examineLog(bucket, log, known))).damage, [])
    assert.strictEqual((yield* inStore((bucket) => add(bucket, "five", known))).head?.number, 5)
  })
