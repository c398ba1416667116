import * as kind from "../reading/kinds.ts"
import { deepEqual, equal, notEqual, ok } from "node:assert/strict"
import { createHash } from "node:crypto"
import { type Fact, fact, fieldsOf, section, untried, once } from "../Fact.ts"
import { answered, fetched, readAt, readText, all, at, keysAt, textAt } from "../reading/ask.ts"
import type { World } from "../world/World.ts"

const line = (kind: "catalog" | "expansions" | "prices") =>
  fieldsOf(`a line of ${kind}`, async (world) => (await feed(world, kind)).lines)
const [catalog, expansion, price] = [line("catalog"), line("expansions"), line("prices")]

/** The lines of the three feeds. */
const feedLines: ReadonlyArray<Fact> = [
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
    const files = await feedsWithGaps(world)
    const [lines, catalog] = [files.get("prices")?.lines ?? [], files.get("catalog")?.lines ?? []]
    ok(lines.length > 0 && lines.length < catalog.length)
    ok(lines.every((each) => keysAt(each, "pricesByFinish").length > 0))
    const sealed = catalog.find((each) => at(each, "productType") === "sealed")
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

const kinds = ["catalog", "expansions", "prices"] as const

/** What a feed says of itself, its file and its lines. */
interface Feed {
  readonly described: unknown
  readonly raw: Buffer
  readonly bytes: Buffer
  readonly lines: ReadonlyArray<unknown>
}

const feedsOf = (game: string) =>
  once(async ({ ask }) => {
    const described = await answered(ask(`GET /v1/feeds/${game}`))
    const files = new Map<string, Feed>()
    for (const kind of kinds) {
      const { bytes, raw } = await fetched(textAt(described, `${kind}.url`))
      const lines = bytes
        .toString()
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
      files.set(kind, { described: at(described, kind), raw, bytes, lines })
    }
    return files
  })

/** The three feeds of a game. */
export const feeds = feedsOf("tidewrack")

/** Those of a game that has a product without a price. */
const feedsWithGaps = feedsOf("emberfall")

/** One of the three. */
const feed = async (world: World, kind: (typeof kinds)[number]): Promise<Feed> => {
  const found = (await feeds(world)).get(kind)
  ok(found !== undefined)
  return found
}

const described = fieldsOf("a feed", async (world) => [...(await feeds(world)).values()].map((each) => each.described))

const ofFile = (kind: (typeof kinds)[number]): ReadonlyArray<Fact> => [
  fact("checksum", `${kind}: the SHA-256 of what the file unpacks to, in 64 hex digits`, async (world) => {
    const { bytes, described } = await feed(world, kind)
    equal(at(described, "checksum"), createHash("sha256").update(bytes).digest("hex"))
  }),
  fact("sizeBytes", `${kind}: the size of the gzip file`, async (world) => {
    const { raw, described } = await feed(world, kind)
    deepEqual([raw[0], raw[1]], [0x1f, 0x8b])
    equal(at(described, "sizeBytes"), raw.length)
  }),
  fact("recordCount", `${kind}: as many lines as it says`, async (world) => {
    const { lines, described } = await feed(world, kind)
    equal(at(described, "recordCount"), lines.length)
  }),
  fact(`GET /v1/feeds/{gameId}/catalog, /expansions, /prices`, `${kind} alone: as in all three`, async (world) => {
    const alone = await answered(world.ask(`GET /v1/feeds/tidewrack/${kind}`))
    for (const key of ["checksum", "recordCount", "feedType"])
      equal(at(alone, key), at((await feed(world, kind)).described, key))
  })
]

export const feedFiles = section("beyond", "8. Feeds", [
  fact("GET /v1/feeds/{gameId}", "it answers catalog, expansions and prices", async ({ ask }) => {
    deepEqual(keysAt(await answered(ask("GET /v1/feeds/tidewrack")), ""), [...kinds].toSorted())
  }),
  ...described(kind.eachOf(...kinds), "feedType"),
  ...described(kind.uri, "url", "url / urlExpiresAt"),
  ...described(kind.dateTime, "urlExpiresAt", "url / urlExpiresAt"),
  fact("url / urlExpiresAt", "the link works without a key, for about an hour", async ({ ask, control, wait }) => {
    const feed = await answered(ask("GET /v1/feeds/emberfall/prices"))
    const now = await readText(control("GET /sandbox/clock"), "now")
    const minutes = (Date.parse(textAt(feed, "urlExpiresAt")) - Date.parse(now)) / 60_000
    ok(minutes > 50 && minutes < 70, `${minutes} minutes`)
    equal((await fetched(textAt(feed, "url"))).status, 200)
    await wait(3700)
    equal((await fetch(textAt(feed, "url"))).status, 403)
  }),
  ...described(kind.filled, "checksum"),
  ...described(kind.just("ndjson"), "format", "format / encoding"),
  ...described(kind.just("gzip"), "encoding", "format / encoding"),
  ...described(kind.dateTime, "lastRefreshedAt generatedAt"),
  ...kinds.flatMap(ofFile),
  fact("generatedAt", "a deployment moves checksum and generatedAt of the catalog", async ({ limited }) => {
    const { control, party } = limited.trade
    const { ask } = await party()
    const read = async () => answered(ask("GET /v1/feeds/clockwork-orchard/catalog"))
    const before = await read()
    await answered(control("POST /sandbox/deploy", { gameId: "clockwork-orchard" }))
    const after = await read()
    notEqual(at(after, "checksum"), at(before, "checksum"))
    ok(textAt(after, "generatedAt") > textAt(before, "generatedAt"))
    ok(textAt(after, "lastRefreshedAt") >= textAt(after, "generatedAt"))
  }),
  ...feedLines,
  fact("", "the slugs of the changelog are those of catalog, and a removed item has its slug alone", async (world) => {
    const { ask, control } = world
    await answered(control("POST /sandbox/deploy", { gameId: "tidewrack" }))
    const newest = await readAt(ask("GET /v1/feeds/tidewrack/changelog?limit=1&includeChanges=true"), "data.0")
    const { bytes } = await fetched(await readText(ask("GET /v1/feeds/tidewrack/catalog"), "url"))
    const slugs = new Set(
      bytes
        .toString()
        .trimEnd()
        .split("\n")
        .map((each) => at(JSON.parse(each), "slug"))
    )
    const there = [...all(newest, "changes.products.added.*.slug"), ...all(newest, "changes.products.modified.*.slug")]
    ok(there.length > 0 && there.every((each) => slugs.has(each)))
    const removed = all(newest, "changes.products.removed.*")
    ok(removed.length > 0)
    for (const each of removed) {
      deepEqual(keysAt(each, ""), ["slug"])
      ok(!slugs.has(at(each, "slug")))
    }
  }),
  untried("GET /v1/feeds/{gameId}/changelog", "its limit is 50 unless asked", "no game has more than four"),
  untried("", "no translations, no price line without its product", "both were observed in the live files")
])
