import { live } from "../support/suite.ts"
import { DuckDBInstance } from "@duckdb/node-api"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { showing } from "../../src/night/run/showing.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { deploymentsOf, hasRealCatalogue, realCatalogue, stepsOf } from "../pipelines/realCatalogue.ts"
import { contractsIn, dropRows, exportTo, temporaryFolder } from "./FourNights.ts"

const firstDay = Date.parse("2026-09-01T03:00:00Z")
const dayMillis = 24 * 3600 * 1000
const lead = new Set(["snapshot_date", "snapshot_id", "read_at", "game_id"])
const lists = ["product_languages", "product_finishes", "external_ids"]
const prices = ["source_prices", "source_price_conditions", "marketplace_prices", "marketplace_price_conditions"]

/** SQL that counts what differs from each night to the next, from the drop's files alone. */
const countedSteps = (folder: string) => {
  const columns = (table: string, left: ReadonlyArray<string> = []) =>
    (contractsIn(folder).find((one) => one.table === table)?.columns ?? [])
      .map(({ name }) => name)
      .filter((name) => !lead.has(name) && !left.includes(name))
      .join(", ")
  const whole = (table: string, item: string, left: ReadonlyArray<string> = []) =>
    `select snapshot_id, ${item}_id as id, row(${columns(table, left)})::varchar as facts ${dropRows(folder, table)}`
  // Inside an aggregate, DuckDB takes `order by all` for no order.
  const listed = (table: string) =>
    `select snapshot_id, product_id, string_agg(fact, ';' order by fact) as facts
     from (select snapshot_id, product_id, row(${columns(table)})::varchar as fact ${dropRows(folder, table)})
     group by all`
  const joined = (tables: ReadonlyArray<string>) =>
    tables.map(
      (table) =>
        `left join (${listed(table)}) ${table} on (${table}.snapshot_id, ${table}.product_id) = (p.snapshot_id, p.id)`
    )
  const texts = (tables: ReadonlyArray<string>) =>
    tables.map((table) => `coalesce(${table}.facts, '')`).join(" || '|' || ")
  return `with n as (select snapshot_id, place ${dropRows(folder, "nights")}),
    products as (
      select p.snapshot_id, p.id, md5(p.facts || '|' || ${texts(lists)}) as catalogue, md5(${texts(prices)}) as price
      from (${whole("products", "product", ["price_extra"])}) p ${joined([...lists, ...prices]).join("\n")}
    ),
    expansions as (
      select e.snapshot_id, e.id, md5(e.facts || '|' || coalesce(string_agg(l.language_code, ';' order by list_position), '')) as catalogue, '' as price
      from (${whole("expansions", "expansion", [])}) e
      left join (${dropRows(folder, "expansion_languages")}) l on (l.snapshot_id, l.expansion_id) = (e.snapshot_id, e.id)
      group by e.snapshot_id, e.id, e.facts
    ),
    items as (select 'products' as entity, * from products union all select 'expansions', * from expansions),
    placed as (select place, i.* exclude (snapshot_id) from items i join n using (snapshot_id))
    select coalesce(a.entity, b.entity) as entity, coalesce(a.place, b.place + 1)::int as place,
      count(*) filter (b.id is null)::int as added,
      count(*) filter (a.id is null)::int as removed,
      count(*) filter (a.catalogue <> b.catalogue)::int as beyond,
      count(*) filter (a.catalogue <> b.catalogue or a.price <> b.price)::int as modified
    from placed a full join placed b on a.entity = b.entity and a.id = b.id and a.place = b.place + 1
    where coalesce(a.place, b.place + 1) between 2 and (select max(place) from n)
    group by all order by place, entity desc`
}

/** Rows from a DuckDB that may use all of the machine, as a warehouse would. */
const warehouseRows = (sql: string) =>
  Effect.acquireUseRelease(
    Effect.promise(() => DuckDBInstance.create(":memory:")),
    (instance) => Effect.promise(async () => (await (await instance.connect()).runAndReadAll(sql)).getRowObjectsJson()),
    (instance) => Effect.sync(() => instance.closeSync())
  )

describe.skipIf(!hasRealCatalogue)("the drop of a real game, where the real catalogue is at hand", () => {
  for (const gameId of ["riftbound", "fleshandblood", "magic"]) {
    live(`${gameId}: SQL over its files counts the true differences of every step`, function* () {
      const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue: realCatalogue })
      for (const [index] of deploymentsOf(gameId).entries()) {
        if (index > 0) yield* sandbox.deploy(gameId)
        const [game] = (yield* night(gameId).pipe(showing(firstDay + index * dayMillis))).games
        assert.strictEqual(game?.verdict, "published", game?.reason ?? "")
      }
      const folder = yield* temporaryFolder
      yield* inHome(exportTo(folder))
      const found = yield* warehouseRows(countedSteps(folder))
      const truth = stepsOf(gameId).flatMap(({ expansions, products }, index) => [
        {
          entity: "products",
          place: index + 2,
          added: products.added,
          removed: products.removed,
          beyond: products.modifiedBeyondPrices,
          modified: products.modified
        },
        {
          entity: "expansions",
          place: index + 2,
          added: expansions.added,
          removed: expansions.removed,
          beyond: expansions.modified,
          modified: expansions.modified
        }
      ])
      assert.isAbove(truth.length, 3)
      assert.deepStrictEqual(found, truth)
    })
  }
})
