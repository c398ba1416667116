import { fieldsOf } from "../reading/fieldsOf.ts"
import assert from "node:assert/strict"
import { fact, type Fact } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import {
  dateTime,
  eachOf,
  filled,
  integer,
  language,
  listOf,
  maybeAbsent,
  maybeNull,
  number,
  object,
  slug,
  text,
  uri
} from "../reading/kinds.ts"
import { all, at, keysAt } from "../reading/paths.ts"
import { feed } from "./feedContent.ts"

const line = (kind: "catalog" | "expansions" | "prices") =>
  fieldsOf(`a line of ${kind}`, async (world) => (await feed(world, kind)).lines)
const [catalog, expansion, price] = [line("catalog"), line("expansions"), line("prices")]

/** The lines of the three feeds. */
export const feedLines: ReadonlyArray<Fact> = [
  catalog("id", "id", integer),
  catalog("productType", "productType", eachOf("card", "sealed")),
  catalog("name, nameSlug", "name", filled),
  catalog("name, nameSlug", "nameSlug", slug),
  catalog("slug", "slug", slug),
  fact("slug", "it is unique in the game", async (world) => {
    const slugs = all((await feed(world, "catalog")).lines, "*.slug")
    assert.equal(new Set(slugs).size, slugs.length)
  }),
  catalog("expansionId, expansionSlug", "expansionId", maybeNull(integer)),
  catalog("expansionId, expansionSlug", "expansionSlug", maybeNull(slug)),
  ...["printNumber", "variant", "rarity"].map((key) => catalog("printNumber, variant, rarity", key, maybeNull(text))),
  fact(
    "printNumber, variant, rarity",
    "all are null on sealed products, which have the finish Standard and {} as attributes",
    async (world) => {
      const sealed = (await feed(world, "catalog")).lines.filter((each) => at(each, "productType") === "sealed")
      assert.ok(sealed.length > 0)
      for (const each of sealed) {
        assert.deepEqual([at(each, "printNumber"), at(each, "variant"), at(each, "rarity")], [null, null, null])
        assert.deepEqual([at(each, "finishes"), at(each, "attributes")], [["Standard"], {}])
        assert.ok(filled.is(at(each, "productCategory")))
      }
    }
  ),
  catalog("finishes", "finishes", listOf(filled)),
  catalog("languages", "languages", listOf(language)),
  ...["imageUrl", "imageBackUrl"].map((key) => catalog("imageUrl, imageBackUrl", key, maybeNull(uri))),
  catalog("productCategory", "productCategory", maybeAbsent(maybeNull(text))),
  catalog("externalIds", "externalIds", maybeNull(object)),
  catalog("translations", "translations", maybeNull(object)),
  catalog("attributes", "attributes", object),
  fact("", "a line of catalog has no game, expansion, prices or availability", async (world) => {
    for (const each of (await feed(world, "catalog")).lines)
      for (const key of ["gameId", "game", "expansion", "prices", "pricesByFinish", "availability"])
        assert.equal(at(each, key), undefined, key)
  }),
  fact("", "catalog and search have the same products", async (world) => {
    const body = { gameFilters: { game: "tidewrack" } }
    const total = at(await answered(world.ask("POST /v1/products/search?limit=1", body)), "pagination.total")
    assert.equal((await feed(world, "catalog")).lines.length, total)
  }),
  price("", "productId", integer),
  price("", "pricesByFinish", object),
  fact("", "prices has no line of a product without a price, and sealed products under Standard", async (world) => {
    const { lines } = await feed(world, "prices")
    assert.ok(lines.length < (await feed(world, "catalog")).lines.length)
    assert.ok(lines.every((each) => keysAt(each, "pricesByFinish").length > 0))
    const sealed = (await feed(world, "catalog")).lines.find((each) => at(each, "productType") === "sealed")
    const priced = lines.find((each) => at(each, "productId") === at(sealed, "id"))
    assert.deepEqual(keysAt(priced, "pricesByFinish"), ["Standard"])
  }),
  fact("", "prices says of a card what its own prices say", async (world) => {
    for (const each of (await feed(world, "prices")).lines.slice(0, 5)) {
      const found = await answered(world.ask(`GET /v1/products/${String(at(each, "productId"))}/prices`))
      if (at(found, "pricesByFinish.Standard") !== undefined)
        assert.deepEqual(at(each, "pricesByFinish"), at(found, "pricesByFinish"))
    }
  }),
  expansion("", "id", integer),
  expansion("", "name", filled),
  expansion("", "slug", slug),
  expansion("", "code", maybeNull(text)),
  expansion("", "releaseDate", maybeAbsent(maybeNull(dateTime))),
  ...["cardCount", "sealedProductCount"].map((key) => expansion("", key, maybeAbsent(maybeNull(number)))),
  expansion("", "attributes", maybeAbsent(object))
]
