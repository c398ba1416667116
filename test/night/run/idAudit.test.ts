import { assert } from "@effect/vitest"
import { Context, Effect } from "effect"
import { join } from "node:path"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { sql } from "../../../src/store/diff/openSnapshots.ts"
import { Lake, type Session, sqlText, scratchSession } from "../../../src/store/lake/duckdb/Lake.ts"
import { LakeError } from "../../../src/feed/reading/LakeError.ts"
import { tableFile } from "../../../src/feed/schema/tableFile.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { idOf, catalogueFolder, card, gameId } from "../../store/lake/invented.ts"
import { lakeRows, lines } from "../../store/lake/tableRows.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"

/** A card with its ids by finish: `Standard 500, Foil 501`. */
const of = (id: number, eurIds: string, more: object = {}) =>
  card(id, {
    finishes: ["Standard", "Foil"],
    externalIds: {
      sourceEur: eurIds.split(", ").map((one) => {
        const [finish, id] = one.split(" ")
        return { finish, id: Number(id) }
      })
    },
    ...more
  })
const prices = (eur: number, usd: number) => ({
  pricesByFinish: {
    Standard: { sourceEur: { currency: "EUR", marketValue: eur }, sourceUsd: { currency: "USD", marketValue: usd } }
  }
})
const sound = of(9, "Standard 900, Foil 901", prices(10, 11))
/**
 * 30 cards with one id for both printings, as this system has it; two different cards with one id;
 * and a card whose id p1 moves from one printing to the other.
 */
const printings = (isLater: boolean) => [
  ...Array.from({ length: 60 }, (_, index) => {
    const place = index % 30
    return card(1000 + index, { name: `Moth ${place}`, externalIds: { fabId: `f${place}` } })
  }),
  card(1100, { name: "Newt", externalIds: { fabId: "n" } }),
  card(1101, { name: "Otter", externalIds: { fabId: "n" } }),
  card(1102, { name: "Pike", externalIds: { fabId: isLater ? "p2" : "p1" } }),
  card(1103, { name: "Pike", externalIds: { fabId: isLater ? "p1" : "p3" } })
]
/**
 * Two cards have one id under two finishes, and later a third has it, too; two of one name share theirs by design.
 * Then an id goes from a card's foil to another card, and one to another printing of the same name.
 */
const acrossFinishes = (isLater: boolean) => {
  const only = (id: number, name: string, finish: string, eurId: number) =>
    of(id, `${finish} ${eurId}`, { name, finishes: [finish] })
  return [
    only(20, "Rook", "Foil", 800),
    only(21, "Stoat", "Standard", 800),
    only(22, "Toad", "Foil", 810),
    only(23, "Toad", "Standard", 810),
    only(24, "Vole", "Foil", isLater ? 821 : 820),
    only(25, "Wren", "Standard", isLater ? 820 : 822),
    only(26, "Yak", "Foil", isLater ? 831 : 830),
    only(27, "Yak", "Standard", isLater ? 830 : 832),
    ...(isLater ? [only(28, "Rook", "Foil", 800)] : [])
  ]
}
const first = [
  ...printings(false),
  ...acrossFinishes(false),
  of(5, "Standard 500, Foil 501"),
  of(1, "Standard 100, Foil 101"),
  of(2, "Standard 200, Foil 201"),
  sound
]
/**
 * 2 has an id that 1 had; 6 the ids of 5, which is gone; 7 a price of 0, which is no price. 3 and 4
 * share an id; 3 has two for one finish; 4 has none for its foil, and prices that are far apart.
 */
const second = [
  ...printings(true),
  ...acrossFinishes(true),
  of(6, "Standard 500, Foil 501"),
  of(7, "Standard 700, Foil 701", prices(10, 0)),
  of(1, "Standard 102, Foil 101"),
  of(2, "Standard 100, Foil 201"),
  of(3, "Standard 300, Standard 301, Foil 302"),
  of(4, "Standard 300", prices(90, 10)),
  sound
]

live("a night's verdict counts the ids that look wrong as the lake's view does", function* () {
  const catalogue = yield* catalogueFolder({
    [gameId]: [{ products: first }, { products: second }, { products: second }]
  })
  const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue })
  const [clean, doubtful] = [yield* night(), yield* Effect.andThen(sandbox.deploy(gameId), night())]
  assert.deepStrictEqual(clean.games[0]?.idAudit, { shared: 4, doubled: 0, moved: 0, missing: 0, apart: 0 })
  assert.deepStrictEqual(doubtful.games[0]?.idAudit, { shared: 7, doubled: 2, moved: 2, missing: 1, apart: 1 })
  const seen = yield* inHome(lakeRows("select kind, count(*) as ids from id_audit group by kind order by kind"))
  assert.deepStrictEqual(
    seen.map(({ ids, kind }) => `${kind} ${ids}`),
    ["apart 1", "doubled 2", "missing 1", "moved 2", "shared 7"]
  )
  assert.include(verdictText(doubtful), `${gameId} 7 shared, 2 doubled, 2 moved, 1 missing, 1 apart`)
  const others = yield* inHome(
    lakeRows("select product_id, detail from id_audit where system = 'fabId' order by product_id")
  )
  assert.deepStrictEqual(lines(others), ["1100 2 products", "1101 2 products"])
  const acrossNames = yield* inHome(
    lakeRows(
      "select product_id, kind, finish, external_id, detail from id_audit where product_id between 20 and 28 order by 1"
    )
  )
  assert.deepStrictEqual(lines(acrossNames), [
    "20 shared Foil 800 3 products",
    "21 shared Standard 800 3 products",
    "25 moved Standard 820 was of product 24",
    "28 shared Foil 800 3 products"
  ])
})

/** The most rows that a step of the audit makes of a snapshot's files, which is how a night runs it. */
const maxRows = Effect.fnUntraced(function* (folder: string) {
  const session = yield* scratchSession
  for (const table of ["products", "external_ids", "product_finishes", "source_prices"]) {
    yield* session.run(
      "Open",
      `create view ${table} as from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false)`
    )
  }
  yield* session.run("Open", "create view night_ids as select *, 'added' as change from external_ids where false")
  yield* session.run(
    "Open",
    `${sql("auditIds.sql")}; ${tableFile(new URL("../../../src/store/lake/views/id_audit.sql", import.meta.url)).sql}`
  )
  const [plan] = yield* session.rows("Explain", "explain (analyze, format json) from id_audit")
  const made = String(plan?.["explain_value"]).matchAll(/"operator_cardinality": (\d+)/g)
  return Math.max(...[...made].map(([, rows]) => Number(rows)))
}, Effect.scoped)

live.full("ids that many products share are not joined with every other product", function* () {
  const shared = Array.from({ length: 300 }, (_, index) =>
    card(1000 + index, {
      name: `Moth ${index}`,
      externalIds: {
        riftboundId: `r${index % 10}`,
        sourceEur: [{ finish: "Standard", id: index }],
        sourceUsd: [{ finish: index % 2 === 0 ? "Standard" : "Foil", id: index % 7 }]
      }
    })
  )
  const { inHome, night } = yield* marketplaceAndHome({
    catalogue: yield* catalogueFolder({ [gameId]: [{ products: shared }] })
  })
  const [game] = (yield* night()).games
  const most = yield* Effect.flatMap(Home, (home) => maxRows(home.snapshot(gameId, idOf(game?.snapshot ?? "")))).pipe(
    inHome
  )
  assert.strictEqual(most, 3 * shared.length)
})

live.full("a game whose ids cannot be audited is published without their counts", function* () {
  const catalogue = yield* catalogueFolder({ [gameId]: [{ products: first }] })
  const { inHome, services } = yield* marketplaceAndHome({ catalogue })
  const lake = Context.get(services, Lake)
  const fullOf = (session: Session): Session => ({
    ...session,
    rows: (step, sql) =>
      step === "Count the doubtful ids"
        ? Effect.fail(new LakeError({ step, cause: "Out of Memory Error: failed to allocate data (9 MiB/9 MiB used)" }))
        : session.rows(step, sql)
  })
  const full = Context.add(services, Lake, Lake.of({ session: Effect.map(lake.session, fullOf) }))
  const report = yield* Effect.provideContext(
    runNight([], () => {}),
    full
  )
  assert.deepStrictEqual(
    report.games.map(({ idAudit, verdict }) => ({ idAudit, verdict })),
    [{ idAudit: null, verdict: "published" }]
  )
  const [row] = yield* inHome(lakeRows("select count(*)::int as products from products"))
  assert.strictEqual(row?.["products"], first.length)
})
