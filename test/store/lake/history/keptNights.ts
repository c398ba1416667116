import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import type { SnapshotId } from "../../../../src/feed/contract/Ids.ts"
import { RunReport } from "../../../../src/night/observe/RunReport.ts"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { runPrune } from "../../../../src/night/run/runPrune.ts"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { diffSnapshots } from "../../../../src/store/diff/diffSnapshots.ts"
import { readCurrent, withPublications, Home } from "../../../../src/store/home/Home.ts"
import { type SnapshotFolder, readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { writeJson } from "../../../../src/store/home/jsonFile.ts"
import type { Catalogue } from "../../diff/wornCatalogues.ts"
import { differenceOf, snapshotOf } from "../handMadeNights.ts"
import { gameId, idOf } from "../invented.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { lakeRows, type Row, tableRows } from "../tableRows.ts"

/** What may happen to a home between two nights. */
export type Happening = "night" | "unchanged" | "compact" | "prune" | "rollback" | "return"

/** A night as it was read, kept aside: the rows that each macro must give for its time. */
interface Kept {
  readonly snapshot: SnapshotId
  readonly readAt: number
  readonly answers: ReadonlyArray<readonly [question: string, columns: string, rows: ReadonlyArray<string>]>
}

const day = 24 * 3600 * 1000
const sorted = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

/** Tables, the macro that must give the same rows for a night's time, and the columns that both have. */
const asOf = [
  [
    "source_prices",
    "prices_at",
    "game_id, product_id, finish, source, currency, low, mid, high, market_value, change_7d"
  ],
  ["marketplace_prices", "marketplace_prices_at", "game_id, product_id, finish, region, low, listing_count"],
  ["products", "products_at", "game_id, product_id, name, variant, rarity, expansion_id, attributes, extra"],
  ["expansions", "expansions_at", "game_id, expansion_id, slug, name, code, languages, extra"],
  ["external_ids", "external_ids_at", "game_id, product_id, system, finish, external_id"]
] as const

const keptAside = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder, readAt: number) {
  const answers = yield* Effect.forEach(asOf, ([table, question, columns]) =>
    Effect.map(tableRows(folder, table), (rows) => {
      const names = columns.split(", ")
      const texts = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]]))))
      // An id that a product has in two places of its record is one id.
      return [question, columns, [...new Set(texts)].sort()] as const
    })
  )
  return { snapshot: manifest.snapshot, readAt, answers } satisfies Kept
})

/** Asserts that the history has every night's rows as they were read, up to the next night. */
const nightsAnswer = Effect.fnUntraced(function* (chain: ReadonlyArray<Kept>) {
  const nights = yield* lakeRows("select snapshot from nights order by place")
  assert.deepStrictEqual(
    nights.map((row) => row["snapshot"]),
    chain.map(({ snapshot }) => snapshot)
  )
  for (const [index, { answers, readAt, snapshot }] of chain.entries()) {
    const until = (chain[index + 1]?.readAt ?? readAt + 2) - 1
    for (const [question, columns, rows] of answers) {
      for (const time of new Set([readAt, until])) {
        const then = yield* lakeRows(`select ${columns} from ${question}('${new Date(time).toISOString()}')`)
        assert.deepStrictEqual(sorted(then), rows, `${question} of ${snapshot}`)
      }
    }
  }
})

/** Asserts that successive snapshots of the home differ as they did when both had their own files. */
const differencesStay = Effect.fnUntraced(function* (differences: Map<string, ReadonlyArray<string>>) {
  const snapshots = yield* readSnapshots(gameId)
  for (const [index, to] of snapshots.entries()) {
    const from = snapshots[index - 1]
    if (from === undefined) continue
    const key = `${from.manifest.snapshot} ${to.manifest.snapshot}`
    const found = sorted((yield* differenceOf(from, to)).changes)
    assert.deepStrictEqual(found, differences.get(key) ?? found, key)
    differences.set(key, found)
  }
})

/** Every table and view of the lake: how many rows, and their content whatever their order. */
const lakeContent = Effect.gen(function* () {
  const names = yield* lakeRows(
    `select table_name as name from information_schema.tables where table_catalog = 'lake' and table_schema = 'main' order by all`
  )
  return yield* Effect.forEach(names, ({ name }) =>
    Effect.map(
      lakeRows(`select count(*)::int as n, bit_xor(hash(t))::varchar as content from "${String(name)}" t`),
      ([row]) => ({ ...row, name })
    )
  )
})

/** Asserts that the lake, continued at every publication, equals one built from the files. */
const isAsBuiltAnew = Effect.gen(function* () {
  const home = yield* Home
  const lock = yield* lockHome("nightly", idOf("20991231T000000000Z-0000"))
  const publishAgain = Effect.flatMap(readCurrent, (current) =>
    publish(idOf("20991231T000000000Z-0000"), current, lock)
  )
  yield* publishAgain
  const found = yield* lakeContent
  rmSync(home.lake)
  yield* publishAgain
  assert.deepStrictEqual(found, yield* lakeContent)
}).pipe(Effect.scoped)

/**
 * Puts a home through happenings, with nights sixteen days apart. After the steps that `isChecked`
 * picks, all nights not taken back answer as they were read. Counts how often each happened.
 */
export const liveThrough = Effect.fnUntraced(function* (
  catalogues: ReadonlyArray<Catalogue>,
  happenings: ReadonlyArray<Happening>,
  isChecked: (step: number) => boolean
) {
  const home = yield* Home
  const done: Record<Happening, number> = { night: 0, unchanged: 0, compact: 0, prune: 0, rollback: 0, return: 0 }
  const differences = new Map<string, ReadonlyArray<string>>()
  const kept = new Map<string, Kept>()
  let chain: ReadonlyArray<Kept> = []
  let now = Date.parse("2026-05-03T03:00:00Z")
  const goTo = (snapshot: string) => {
    chain = [
      ...chain.filter((one) => one.snapshot < snapshot),
      ...[kept.get(snapshot)].filter((one) => one !== undefined)
    ]
  }

  const night = Effect.gen(function* () {
    const catalogue = catalogues[done.night % catalogues.length]
    const current = yield* readCurrent
    const live = current.games[gameId]?.snapshot
    const before = (yield* readSnapshots(gameId)).find(({ manifest }) => manifest.snapshot === live) ?? null
    const id = idOf(`${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-0000`)
    const words = {
      products: [...(catalogue?.products.values() ?? [])],
      expansions: [...(catalogue?.expansions.values() ?? [])]
    }
    const snapshot = yield* snapshotOf(id, { ...words, completedAt: new Date(now).toISOString() }, before)
    if (before !== null) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
    const step = { run: id, kind: "nightly", gameId, snapshot: id, deploymentId: null, at: "", why: null } as const
    yield* publish(id, withPublications(current, [step]), yield* lockHome("nightly", id))
    kept.set(id, yield* keptAside(snapshot, now))
    goTo(id)
  }).pipe(Effect.scoped)

  const unchanged = Effect.gen(function* () {
    const run = idOf(`${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}-0000`)
    const snapshot = chain.at(-1)?.snapshot ?? null
    const nothing = {
      reason: null,
      deploymentId: null,
      products: 1,
      expansions: 1,
      prices: 1,
      externalIds: 1,
      refused: 0
    }
    const game = {
      gameId,
      verdict: "unchanged",
      snapshot,
      ...nothing,
      changes: null,
      reconciliation: null,
      idAudit: null,
      drift: null,
      seconds: 1
    } as const
    const report = {
      run,
      kind: "nightly",
      why: null,
      startedAt: new Date(now).toISOString(),
      verdict: "unchanged"
    } as const
    yield* writeJson(home.run(run), RunReport, { ...report, seconds: 1, games: [game] })
  })

  for (const [step, happening] of ["night" as const, ...happenings].entries()) {
    const { games } = yield* readCurrent
    const others = (games[gameId]?.published ?? []).filter((id) => id !== games[gameId]?.snapshot)
    const target =
      happening === "rollback" ? others.findLast((id) => id < (games[gameId]?.snapshot ?? "")) : others.at(-1)
    if (happening === "night") yield* night
    if (happening === "unchanged") yield* unchanged
    if (happening === "compact") yield* runCompact([]).pipe(showing(now))
    if (happening === "prune") yield* runPrune({ days: null, last: 2, monthly: false }, false).pipe(showing(now))
    if (happening === "rollback" || happening === "return") {
      if (target === undefined) continue
      yield* runRollback({ gameId, wanted: target, why: null }).pipe(showing(now))
      goTo(target)
    }
    done[happening]++
    now += happening === "night" || happening === "unchanged" ? 16 * day : 1000
    if (!isChecked(step)) continue
    yield* nightsAnswer(chain)
    yield* differencesStay(differences)
  }
  yield* isAsBuiltAnew
  return done
})
