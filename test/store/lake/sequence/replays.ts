import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { runPrune } from "../../../../src/night/run/runPrune.ts"
import { runRelease } from "../../../../src/night/run/publishAs.ts"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { diffSnapshots } from "../../../../src/store/diff/diffSnapshots.ts"
import { heldSnapshots, writeHeldBack } from "../../../../src/store/home/HeldBack.ts"
import { Home, lastSequence, readCurrent, withPublications } from "../../../../src/store/home/Home.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import { readSnapshot } from "../../../../src/store/home/Manifest.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { streamChanges } from "../../../../src/store/lake/sequence/streamChanges.ts"
import type { Catalogue } from "../../diff/wornCatalogues.ts"
import { type Said, snapshotOf } from "../handMadeNights.ts"
import { gameId, idOf, type Json } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { makeReplica, parseExact, replicated, rowText } from "./replica.ts"

/** The answer since a number: its entries, or null if the reader has to start again. */
export const changesSince = Effect.fnUntraced(function* (since: number, games: ReadonlyArray<string> = []) {
  const found = yield* streamChanges({ since, games })
  if (found._tag === "Restart") return { entries: null, next: found.sequence, tables: found.tables }
  const lines = (yield* Stream.mkString(Stream.decodeText(Stream.concat(found.entries, found.end))))
    .trimEnd()
    .split("\n")
  const last = parseExact(lines.at(-1) ?? "")
  return { entries: lines.slice(0, -1).map(parseExact), next: Number(last["next"]), tables: [] }
}, Effect.scoped)

/** The rows of the current tables of the lake that a replica has, by table. */
const currentRows = Effect.map(
  lakeRows(
    Object.entries(replicated)
      .map(([table, [, without]]) => {
        const kept = without.length === 0 ? "*" : `* exclude (${without.join(", ")})`
        return `select '${table}' as name, to_json(t)::varchar as row from (select ${kept} from ${table}) t`
      })
      .join(" union all ")
  ),
  (rows) => Map.groupBy(rows, ({ name }) => String(name))
)

/** Asserts that a replica has every row of the lake's current tables. */
export const equalsLake = Effect.fnUntraced(function* (replica: ReturnType<typeof makeReplica>, what: string) {
  const rows = replica.rows()
  const current = yield* currentRows
  for (const table of Object.keys(replicated)) {
    const expected = (current.get(table) ?? []).map(({ row }) => rowText(parseExact(String(row)))).toSorted()
    assert.deepStrictEqual(rows[table], expected, `${table}, ${what}`)
  }
})

/** A replica that has loaded the lake's current tables whole. */
const loadedReplica = Effect.gen(function* () {
  const replica = makeReplica()
  for (const [table, rows] of yield* currentRows)
    for (const { row } of rows) replica.put(table, parseExact(String(row)))
  return replica
})

export const happenings = [
  "night",
  "feeds",
  "other words",
  "hold",
  "release",
  "rollback",
  "return",
  "prune",
  "compact"
] as const
export type Happening = (typeof happenings)[number]

export const anyHappenings = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom<Happening>("night", "feeds") }, fc.constantFrom(...happenings)),
  { minLength: 5, maxLength: 10 }
)

const without = (record: Json, ...keys: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

/** The same catalogue in feed files: facts and prices apart, and each product's name in another language. */
const asFeeds = ({ expansions, products }: Catalogue): NonNullable<Said["feeds"]> => ({
  catalog: [...products.values()].map((one) =>
    Object.assign(without(one, "pricesByFinish", "prices", "expansion"), {
      slug: `slug-${String(one["id"])}`,
      translations: { fr: { name: `${String(one["name"])} (fr)` } }
    })
  ),
  feedExpansions: [...expansions.values()],
  prices: [...products.values()].flatMap((one) =>
    one["pricesByFinish"] === undefined ? [] : [{ productId: one["id"], pricesByFinish: one["pricesByFinish"] }]
  )
})

const saidBy = (happening: Happening, catalogue: Catalogue): Said => {
  if (happening === "feeds") return { feeds: asFeeds(catalogue) }
  const pages = { products: [...catalogue.products.values()], expansions: [...catalogue.expansions.values()] }
  return happening === "other words" ? { ...pages, dialect: "live" } : pages
}

/** Reads a night of the catalogue, and publishes or holds it. */
const readNight = Effect.fnUntraced(function* (happening: Happening, catalogue: Catalogue, now: number) {
  const home = yield* Home
  const current = yield* readCurrent
  const live = current.games[gameId]?.snapshot
  const before = live === undefined ? null : yield* readSnapshot(home.snapshot(gameId, live))
  const completedAt = new Date(now).toISOString()
  const id = idOf(`${completedAt.replaceAll(/[-:.]/g, "")}-0000`)
  const snapshot = yield* snapshotOf(id, { ...saidBy(happening, catalogue), completedAt }, before)
  if (before !== null) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
  if (happening === "hold") return yield* writeHeldBack(snapshot.folder, { reasons: ["it looks wrong"] })
  const { deploymentId } = snapshot.manifest
  const step = { run: id, kind: "nightly", gameId, snapshot: id, deploymentId, at: completedAt, why: null } as const
  yield* publish(id, withPublications(current, [step]), yield* lockHome("nightly", id))
}, Effect.scoped)

const happen = Effect.fnUntraced(function* (happening: Happening, catalogue: Catalogue, now: number) {
  const { games } = yield* readCurrent
  const live = games[gameId]?.snapshot ?? ""
  const others = (games[gameId]?.published ?? []).filter((id) => id !== live)
  const held = (yield* heldSnapshots(gameId)).at(-1)?.manifest.snapshot
  const target = happening === "rollback" ? others.findLast((id) => id < live) : others.at(-1)
  const why = "as a test wants"
  if (happening === "compact") yield* runCompact([]).pipe(showing(now))
  else if (happening === "prune") yield* runPrune({ days: null, last: 2, monthly: false }, false).pipe(showing(now))
  else if (happening === "release") {
    if (held !== undefined) yield* runRelease({ gameId, wanted: held, takesBack: true, why }).pipe(showing(now))
  } else if (happening === "rollback" || happening === "return") {
    if (target !== undefined) yield* runRollback({ gameId, wanted: target, why }).pipe(showing(now))
  } else yield* readNight(happening, catalogue, now)
})

/** Replicas that have the state after a publication, by its number; 0 = nothing. */
type Replicas = Map<number, ReturnType<typeof makeReplica>>

/** Asserts that every replica comes to the current tables, or is told to start again. Returns how many came. */
const follow = Effect.fnUntraced(function* (replicas: Replicas, what: string) {
  let followed = 0
  for (const [since, replica] of replicas) {
    const { entries, next } = yield* changesSince(since)
    assert.strictEqual(next, lastSequence(yield* readCurrent))
    if (entries === null) continue
    const copy = replica.copy()
    for (const entry of entries) copy.apply(entry)
    yield* equalsLake(copy, `${what}, since ${since}`)
    followed++
  }
  return followed
})

/** Puts a home through happenings; replicas follow it from every number. Returns how often one came to the end, and how many did not. */
export const replayLife = Effect.fnUntraced(function* (
  catalogues: ReadonlyArray<Catalogue>,
  life: ReadonlyArray<Happening>
) {
  const replicas: Replicas = new Map([[0, makeReplica()]])
  const counts = { followed: 0, restarted: 0 }
  let now = Date.parse("2026-05-03T03:00:00Z")
  for (const [at, happening] of (["night", ...life] as const).entries()) {
    yield* happen(happening, catalogues[at % catalogues.length] ?? { products: new Map(), expansions: new Map() }, now)
    now += 9 * 24 * 3600 * 1000
    const newest = lastSequence(yield* readCurrent)
    const what = `${at} ${happening}`
    const last = [...replicas.keys()].at(-1) ?? 0
    const near = yield* follow(new Map([...replicas].filter(([since]) => since === last)), what)
    // Without a prune, the last number is never too old.
    assert.strictEqual(near, 1, what)
    if (!replicas.has(newest)) replicas.set(newest, yield* loadedReplica)
  }
  const followed = yield* follow(replicas, "at the end")
  if (!life.includes("prune")) assert.strictEqual(followed, replicas.size)
  counts.followed += followed
  counts.restarted += replicas.size - followed
  return counts
})
