import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, fieldsOf } from "../Fact.ts"
import { answered, all, at, keysAt } from "../reading/ask.ts"
import * as kind from "../reading/kinds.ts"
import { feed } from "./feedContent.ts"

const line = (kind: "catalog" | "expansions" | "prices") =>
  fieldsOf(`a line of ${kind}`, async (world) => (await feed(world, kind)).lines)
const [catalog, expansion, price] = [line("catalog"), line("expansions"), line("prices")]

/** The lines of the three feeds. */
export const feedLines: ReadonlyArray<Fact> = [
  ...catalog(kind.integer, "id"),
  ...catalog(kind.eachOf("card", "sealed"), "productType"),
  ...catalog(kind.filled, "name", "name, nameSlug"),
  ...catalog(kind.slug, "nameSlug", "name, nameSlug"),
  ...catalog(kind.slug, "slug"),
  fact("slug", "it is unique in the game", async (world) => {
    const slugs = all((await feed(world, "catalog")).lines, "*.slug")
    equal(new Set(slugs).size, slugs.length)
  }),
  ...catalog(kind.maybeNull(kind.integer), "expansionId", "expansionId, expansionSlug"),
  ...catalog(kind.maybeNull(kind.slug), "expansionSlug", "expansionId, expansionSlug"),
  ...catalog(kind.maybeNull(kind.text), "printNumber variant rarity", "printNumber, variant, rarity"),
  fact(
    "printNumber, variant, rarity",
    "all null on sealed products, of finish Standard, attributes {}",
    async (world) => {
      const sealed = (await feed(world, "catalog")).lines.filter((each) => at(each, "productType") === "sealed")
      ok(sealed.length > 0)
      for (const each of sealed) {
        deepEqual([at(each, "printNumber"), at(each, "variant"), at(each, "rarity")], [null, null, null])
        deepEqual([at(each, "finishes"), at(each, "attributes")], [["Standard"], {}])
        ok(kind.filled.is(at(each, "productCategory")))
      }
    }
  ),
  ...catalog(kind.listOf(kind.filled), "finishes"),
  ...catalog(kind.listOf(kind.language), "languages"),
  ...catalog(kind.maybeNull(kind.uri), "imageUrl imageBackUrl", "imageUrl, imageBackUrl"),
  ...catalog(kind.maybeAbsent(kind.maybeNull(kind.text)), "productCategory"),
  ...catalog(kind.maybeNull(kind.object), "externalIds translations"),
  ...catalog(kind.object, "attributes"),
  fact("", "a line of catalog has no game, expansion, prices or availability", async (world) => {
    for (const each of (await feed(world, "catalog")).lines)
      for (const key of ["gameId", "game", "expansion", "prices", "pricesByFinish", "availability"])
        equal(at(each, key), undefined, key)
  }),
  fact("", "catalog and search have the same products", async (world) => {
    const ids = all((await feed(world, "catalog")).lines, "*.id")
    for (let offset = 0; offset <= ids.length; offset += 200) {
      const body = { gameFilters: { game: "tidewrack" }, limit: 200, offset }
      const page = await answered(world.ask("POST /v1/products/search", body))
      equal(at(page, "pagination.total"), ids.length)
      ok(all(page, "data.*.id").every((id) => ids.includes(id)))
    }
  }),
  ...price(kind.integer, "productId", ""),
  ...price(kind.object, "pricesByFinish", ""),
  fact("", "prices has no line of a product without a price, and sealed products under Standard", async (world) => {
    const { lines } = await feed(world, "prices")
    ok(lines.length < (await feed(world, "catalog")).lines.length)
    ok(lines.every((each) => keysAt(each, "pricesByFinish").length > 0))
    const sealed = (await feed(world, "catalog")).lines.find((each) => at(each, "productType") === "sealed")
    const priced = lines.find((each) => at(each, "productId") === at(sealed, "id"))
    deepEqual(keysAt(priced, "pricesByFinish"), ["Standard"])
  }),
  fact("", "prices says of a card what its own prices say", async (world) => {
    for (const each of (await feed(world, "prices")).lines.slice(0, 5)) {
      const found = await answered(world.ask(`GET /v1/products/${String(at(each, "productId"))}/prices`))
      if (at(found, "pricesByFinish.Standard") !== undefined)
        deepEqual(at(each, "pricesByFinish"), at(found, "pricesByFinish"))
    }
  }),
  ...expansion(kind.integer, "id", ""),
  ...expansion(kind.filled, "name", ""),
  ...expansion(kind.slug, "slug", ""),
  ...expansion(kind.maybeNull(kind.text), "code", ""),
  ...expansion(kind.maybeAbsent(kind.maybeNull(kind.dateTime)), "releaseDate", ""),
  ...expansion(kind.maybeAbsent(kind.maybeNull(kind.number)), "cardCount sealedProductCount", ""),
  ...expansion(kind.maybeAbsent(kind.object), "attributes", "")
]
