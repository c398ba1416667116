import { deepEqual, equal, notEqual, ok } from "node:assert/strict"
import { createHash } from "node:crypto"
import { type Fact, fact, fieldsOf, section, untried } from "../Fact.ts"
import { answered, fetched, readAt, readText, all, at, keysAt, textAt } from "../reading/ask.ts"
import { dateTime, eachOf, filled, just, uri } from "../reading/kinds.ts"
import { feed, feeds, kinds } from "./feedContent.ts"
import { feedLines } from "./feedLines.ts"

const told = fieldsOf("a feed", async (world) => [...(await feeds(world)).values()].map((each) => each.told))

const ofFile = (kind: (typeof kinds)[number]): ReadonlyArray<Fact> => [
  fact("checksum", `${kind}: the SHA-256 of what the file unpacks to, in 64 hex digits`, async (world) => {
    const { bytes, told } = await feed(world, kind)
    equal(at(told, "checksum"), createHash("sha256").update(bytes).digest("hex"))
  }),
  fact("sizeBytes", `${kind}: the size of the gzip file`, async (world) => {
    const { raw, told } = await feed(world, kind)
    deepEqual([raw[0], raw[1]], [0x1f, 0x8b])
    equal(at(told, "sizeBytes"), raw.length)
  }),
  fact("recordCount", `${kind}: as many lines as it says`, async (world) => {
    const { lines, told } = await feed(world, kind)
    equal(at(told, "recordCount"), lines.length)
  }),
  fact(`GET /v1/feeds/{gameId}/catalog, /expansions, /prices`, `${kind} alone: as in all three`, async (world) => {
    const alone = await answered(world.ask(`GET /v1/feeds/tidewrack/${kind}`))
    for (const key of ["checksum", "recordCount", "feedType"])
      equal(at(alone, key), at((await feed(world, kind)).told, key))
  })
]

export const feedFiles = section("beyond", "8. Feeds", [
  fact("GET /v1/feeds/{gameId}", "it answers catalog, expansions and prices", async ({ ask }) => {
    deepEqual(keysAt(await answered(ask("GET /v1/feeds/tidewrack")), ""), [...kinds].toSorted())
  }),
  ...told(eachOf(...kinds), "feedType"),
  ...told(uri, "url", "url / urlExpiresAt"),
  ...told(dateTime, "urlExpiresAt", "url / urlExpiresAt"),
  fact("url / urlExpiresAt", "the link works without a key, for about an hour", async ({ ask, control, wait }) => {
    const feed = await answered(ask("GET /v1/feeds/emberfall/prices"))
    const now = await readText(control("GET /sandbox/clock"), "now")
    const minutes = (Date.parse(textAt(feed, "urlExpiresAt")) - Date.parse(now)) / 60_000
    ok(minutes > 50 && minutes < 70, `${minutes} minutes`)
    equal((await fetched(textAt(feed, "url"))).status, 200)
    await wait(3700)
    equal((await fetch(textAt(feed, "url"))).status, 403)
  }),
  ...told(filled, "checksum"),
  ...told(just("ndjson"), "format", "format / encoding"),
  ...told(just("gzip"), "encoding", "format / encoding"),
  ...told(dateTime, "lastRefreshedAt generatedAt"),
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
