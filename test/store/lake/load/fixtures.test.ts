import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { snapshotTables } from "../../../../src/feed/schema/snapshotTables.ts"
import { readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { catalogueFolder, gameId } from "../invented.ts"
import { type Row, tableRows } from "../tableRows.ts"
import { shared, suite } from "../../../support/suite.ts"

/**
 * Pairs in test/fixtures: `<name>.record.json` as on the wire, `<name>.expected.json` its rows by table,
 * or `refused` with path and reason. Ids differ between the fixtures. A new pair is a new test.
 */
interface Expected {
  readonly refused?: { readonly path: string; readonly reason: string }
  readonly drift?: ReadonlyArray<Row>
  readonly [table: string]: unknown
}

const folder = new URL("../../../fixtures/", import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, folder), "utf8")
const ending = ".record.json"
const fixtures = readdirSync(folder)
  .filter((file) => file.endsWith(ending))
  .map((file) => {
    const name = file.slice(0, -ending.length)
    // A JSON text never holds a line break inside a string, so this only joins its lines.
    const wire = read(file).replaceAll(/\n\s*/g, "")
    const { id } = JSON.parse(wire) as { readonly id: number | string }
    return { name, wire, id: String(id), isExpansion: name.startsWith("expansion-") }
  })
const expectedOf = (name: string): Expected => JSON.parse(read(`${name}.expected.json`))

/** Tables with rows of one product; of an expansion there is one row in one table. */
const productTables = snapshotTables.filter((table) => table.columns.some(({ name }) => name === "product_id"))

const OddNight = shared("OddNight", function* () {
  // A game whose pages mix the words of July with others would be held.
  const rowsOf = Effect.fnUntraced(function* (served: typeof fixtures) {
    const wireOf = (isExpansion: boolean) =>
      served.filter((fixture) => fixture.isExpansion === isExpansion).map(({ wire }) => wire)
    const catalogue = yield* catalogueFolder({ [gameId]: [{ products: wireOf(false), expansions: wireOf(true) }] })
    const { inHome, night } = yield* marketplaceAndHome({ catalogue, livePrices: "frozen" })
    yield* night(gameId)
    return yield* Effect.gen(function* () {
      const [snapshot] = yield* readSnapshots(gameId)
      return yield* Effect.forEach(snapshotTables, ({ name }) => tableRows(snapshot?.folder ?? "", name))
    }).pipe(inHome)
  })
  const isOfJuly = ({ name }: { readonly name: string }) => name.startsWith("july-")
  const july = yield* rowsOf(fixtures.filter(isOfJuly))
  const others = yield* rowsOf(fixtures.filter((fixture) => !isOfJuly(fixture)))
  return Object.fromEntries(
    snapshotTables.map(({ name }, index) => [name, [...(others[index] ?? []), ...(july[index] ?? [])]])
  )
})

const shown = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => value !== null && column !== "game_id"))

suite(OddNight.layer, "an odd record", (it) => {
  for (const { id, isExpansion, name, wire } of fixtures) {
    it(name, () =>
      Effect.map(OddNight, (tables) => {
        const refusal = tables["refusals"]?.find((row) => row["record"] === wire)
        const owned = isExpansion
          ? [["expansions", tables["expansions"]?.filter((row) => row["expansion_id"] === id) ?? []] as const]
          : productTables.map(
              (table) => [table.name, tables[table.name]?.filter((row) => row["product_id"] === id) ?? []] as const
            )
        const rows = Object.fromEntries(
          owned.filter(([, rows]) => rows.length > 0).map(([table, rows]) => [table, rows.map(shown)])
        )
        const { drift: _, refused, ...expected } = expectedOf(name)
        assert.deepStrictEqual<unknown>(rows, expected)
        assert.strictEqual(refusal?.["path"], refused?.path)
        assert.include(String(refusal?.["reason"]), String(refused?.reason))
      })
    )
  }

  it("is reported as drift for each key and word that the contract does not know, and for nothing else", () =>
    Effect.map(OddNight, (tables) => {
      const records = new Map<string, number>()
      for (const { kind, place, records: count, word } of fixtures.flatMap(
        ({ name }) => expectedOf(name).drift ?? []
      )) {
        const key = `${String(kind)} ${String(place)} ${String(word)}`
        records.set(key, (records.get(key) ?? 0) + Number(count))
      }
      const found = tables["drift"]?.map((row) => [
        `${String(row["kind"])} ${String(row["place"])} ${String(row["word"])}`,
        Number(row["records"])
      ])
      assert.deepStrictEqual(Object.fromEntries(found ?? []), Object.fromEntries(records))
    }))
})

describe("the fixtures", () => {
  it("are pairs, each with an id of its own", () => {
    const ids = fixtures
      .filter(({ name }) => expectedOf(name).refused === undefined)
      .map(({ id, isExpansion }) => `${isExpansion ? "expansion" : "product"} ${id}`)
    assert.strictEqual(new Set(ids).size, ids.length, "two fixtures have the same id")
    assert.strictEqual(
      readdirSync(folder).filter((file) => /\.(record|expected)\.json$/.test(file)).length,
      fixtures.length * 2,
      "a file lacks its other half"
    )
  })
})
