import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Dialect } from "../../src/feed/contract/dialect/dialects.ts"
import { vi } from "vitest"
import { runDescribe } from "../../pipelines/describe.ts"
import { runDiff } from "../../src/night/run/runDiff.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { runReplay } from "../../src/night/run/runReread.ts"
import { runRepair } from "../../src/night/run/repair/runRepair.ts"
import type { Deployed } from "../store/lake/invented.ts"
import { answersOf, frozenAnswers, frozenHome, frozenReleases, onDay } from "./frozenHome.ts"
import { frozenDeployments, frozenQuestions } from "./frozenMarketplace.ts"

// A contract with a new text field of a card and a new figure of a price source (each in
// its two files: contract and column), a renamed column, a retired column and a new table.
vi.mock(import("../../src/feed/contract/Prices.ts"), async (original) => {
  const { absent } = await import("../../src/feed/contract/Catalogue.ts")
  const contract = await original()
  const priceBlocks = (dialect: Dialect) => {
    const sourceEur = Schema.Struct({ ...contract.sourcePrice(null).fields, average: absent(contract.Price) })
    return Schema.Struct({ ...contract.priceBlocks(dialect).fields, sourceEur: absent(sourceEur) })
  }
  return { ...contract, priceBlocks } as unknown as typeof contract
})
vi.mock(import("../../src/feed/contract/Product.ts"), async (original) => {
  const { absent } = await import("../../src/feed/contract/Catalogue.ts")
  const contract = await original()
  const product = (dialect: Dialect) =>
    Schema.Union([
      Schema.Struct({ ...contract.card(dialect).fields, artist: absent(Schema.String) }),
      contract.sealed(dialect)
    ])
  return { ...contract, product } as unknown as typeof contract
})
vi.mock(import("../../src/feed/disk/ownText.ts"), async (original) => {
  const files = await original()
  const grown: Readonly<Record<string, ReadonlyArray<readonly [from: string, to: string]>>> = {
    "tables/products.sql": [
      [
        "--   price_extra json",
        "--   artist varchar since 7: who drew it; null = the feed does not say\n--   price_extra json"
      ],
      ["--   image_back_url varchar", "--   back_image_url varchar formerly image_back_url until 7 from imageBackUrl"],
      ["--   expansion_symbol_url varchar", "--   expansion_symbol_url varchar retired 7"]
    ],
    "tables/source_prices.sql": [
      [
        "--   extra json",
        "--   average decimal(18, 4) since 7: average price, major unit; null = not given\n--   extra json"
      ]
    ]
  }
  const ownText = (file: URL): string =>
    (grown[file.pathname.split("/").slice(-2).join("/")] ?? []).reduce((sql, [from, to]) => {
      assert.include(sql, from)
      return sql.replace(from, to)
    }, files.ownText(file))
  return { ownText }
})
vi.mock(import("../../src/feed/schema/snapshotTables.ts"), async (original) => {
  const { newestVersion, parseTableFile } = await import("../../src/feed/schema/tableFile.ts")
  const tables = await original()
  const rarities = parseTableFile(`-- rarities: how many products have a rarity
-- grain:  one row per (game_id, rarity)
-- since:  7
-- reads:  products
-- checks: (game_id, rarity) is unique
-- columns:
--   game_id varchar: the game's id
--   rarity varchar: as in products; null = none
--   products bigint: products with it
select game_id, rarity, count(*) as products from products group by all order by rarity;
`)
  const snapshotTables = [...tables.snapshotTables, rarities]
  return {
    ...tables,
    snapshotTables,
    contractVersion: newestVersion(snapshotTables),
    tableNamed: (name: string) => (name === "rarities" ? rarities : tables.tableNamed(name)),
    catalogueTables: new Set([...tables.catalogueTables, "rarities"])
  }
})

const artistOf = (id: number) => (id % 2 === 0 ? `Artist ${id}` : undefined)

/** The price blocks of a product whose European source says an average. */
const averaged = (product: object, average: number): object => {
  const { pricesByFinish } = product as {
    readonly pricesByFinish: { readonly Standard: { readonly sourceEur: object } }
  }
  const { Standard } = pricesByFinish
  const sourceEur = { ...Standard.sourceEur, average }
  return { ...product, pricesByFinish: { ...pricesByFinish, Standard: { ...Standard, sourceEur } } }
}

/**
 * From the seventh deployment on the feed names who drew a card, and the average price of card 13;
 * in the eighth one of the artists changes, and the average.
 */
const drawn = Object.fromEntries(
  Object.entries(frozenDeployments).map(([gameId, days]) => [
    gameId,
    days.map((day, index): Deployed => ({
      ...day,
      products: day.products.map((product) => {
        const { id, productType } = product as { readonly id: number; readonly productType: string }
        const artist = index === 7 && id === 12 ? "Another" : artistOf(id)
        if (index < 6 || productType !== "card") return product
        const named = { ...(product as object), artist }
        return id === 13 ? averaged(named, index === 7 ? 4.5 : 4.25) : named
      })
    }))
  ])
)

it.live.each(frozenReleases)(
  "a home of release %s goes on with a contract that gains, renames and retires fields",
  (release) =>
    Effect.gen(function* () {
      const { deploy, home } = yield* frozenHome(release, drawn)
      const { services } = home
      const question = (name: string) => frozenQuestions.find(([one]) => one === name)?.[1] ?? ""

      // What was read before gives the same answers; artists and rarities were unknown then.
      const repaired = yield* runRepair(false).pipe(onDay("06-11"), Effect.provideContext(services))
      assert.deepStrictEqual(repaired.left, [])
      assert.deepStrictEqual(yield* home.query("from rarities"), [])
      for (const [name, sql] of frozenQuestions) {
        assert.deepStrictEqual(yield* answersOf(home, sql), frozenAnswers(release)[name], name)
      }
      const known =
        "select count(artist)::int as artists, count(*) > 0 as has_rows, count(back_image_url)::int as backs from product_history"
      assert.deepStrictEqual(yield* home.query(known), [{ artists: 0, has_rows: true, backs: 0 }])

      // No product counts as modified because the contract grew.
      yield* deploy
      const first = (yield* home.night.pipe(onDay("06-12"))).games[0]
      assert.strictEqual(first?.verdict, "published", first?.reason ?? "")
      assert.deepStrictEqual(
        yield* home.query(
          `select distinct field from changes where game_id = 'hollowmere' and entity = 'product' and change = 'modified' and class = 'catalogue'
           and to_snapshot = (select snapshot from snapshots where game_id = 'hollowmere' and is_current)`
        ),
        []
      )
      const artists =
        "select count(*)::int as n from products where game_id = 'hollowmere' and artist = 'Artist ' || product_id"
      const [drawnNow] = yield* home.query(artists)
      assert.isAbove(Number(drawnNow?.["n"]), 8)
      const rarities = "select rarity, count(*) as products from products where game_id = 'hollowmere' group by all"
      assert.deepStrictEqual(
        yield* home.query(
          `(from (${rarities}) except select rarity, products from rarities where game_id = 'hollowmere')`
        ),
        []
      )
      assert.isAbove((yield* home.query("from rarities where game_id = 'hollowmere'")).length, 1)

      // From then on the new field is compared, versioned and described like any other.
      yield* deploy
      yield* home.night.pipe(onDay("06-13"))
      const moved = "select id::int as id, old, new from changes where game_id = 'hollowmere' and field = 'artist'"
      assert.deepStrictEqual(yield* home.query(moved), [{ id: 12, old: "Artist 12", new: "Another" }])
      assert.deepStrictEqual(
        yield* home.query(
          "select id::int as id, class, old, new from changes where game_id = 'hollowmere' and field = 'prices.Standard.sourceEur.average'"
        ),
        [{ id: 13, class: "price", old: "4.25", new: "4.5" }]
      )
      assert.deepStrictEqual(
        yield* home.query(
          "select artist, changed from product_history where game_id = 'hollowmere' and product_id = 12 order by valid_from desc limit 1"
        ),
        [{ artist: "Another", changed: ["artist"] }]
      )
      const described = yield* Effect.provideContext(runDescribe(null), services)
      for (const table of ["products", "product_history"]) {
        const column = described.find(({ name }) => name === table)?.columns.find(({ name }) => name === "artist")
        assert.deepStrictEqual(
          [column?.type, column?.comment],
          ["VARCHAR", "who drew it; null = the feed does not say"]
        )
      }

      // Compacted months, replayed nights and diffs are right, too.
      yield* runCompact([]).pipe(onDay("07-02"), Effect.provideContext(services))
      assert.deepStrictEqual(yield* answersOf(home, question("prices in May")), frozenAnswers(release)["prices in May"])
      const [oldest] = (yield* home.current).games["saltfen"]?.published ?? []
      const replayed = yield* runReplay("saltfen", oldest ?? null).pipe(onDay("07-03"), Effect.provideContext(services))
      assert.isTrue(replayed.equal, JSON.stringify(replayed.tables))
      const { changes } = yield* runDiff({ gameId: "hollowmere", from: null, to: null }).pipe(
        onDay("07-03"),
        Effect.provideContext(services)
      )
      assert.strictEqual(changes.products.modifiedCatalogue, 1)
    }).pipe(Effect.scoped)
)
