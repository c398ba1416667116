import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { fact, type Fact, type Section, untried } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import { fetched } from "../reading/fileOf.ts"
import { dateTime, eachOf, filled, just, uri } from "../reading/kinds.ts"
import { all, at, keysAt, textAt } from "../reading/paths.ts"
import { feed, feeds, kinds } from "./feedContent.ts"
import { feedLines } from "./feedLines.ts"

const told = fieldsOf("a feed", async (world) => [...(await feeds(world)).values()].map((each) => each.told))

const ofFile = (kind: (typeof kinds)[number]): ReadonlyArray<Fact> => [
  fact("checksum", `${kind}: the SHA-256 of what the file unpacks to, in 64 hex digits`, async (world) => {
    const { bytes, told } = await feed(world, kind)
    assert.equal(at(told, "checksum"), createHash("sha256").update(bytes).digest("hex"))
  }),
  fact("sizeBytes", `${kind}: the size of the gzip file`, async (world) => {
    const { raw, told } = await feed(world, kind)
    assert.deepEqual([raw[0], raw[1]], [0x1f, 0x8b])
    assert.equal(at(told, "sizeBytes"), raw.length)
  }),
  fact("recordCount", `${kind}: as many lines as it says`, async (world) => {
    const { lines, told } = await feed(world, kind)
    assert.equal(at(told, "recordCount"), lines.length)
  }),
  fact(
    `GET /v1/feeds/{gameId}/catalog, /expansions, /prices`,
    `${kind}: it alone says the same as all three`,
    async (world) => {
      const alone = await answered(world.ask(`GET /v1/feeds/tidewrack/${kind}`))
      for (const key of ["checksum", "recordCount", "feedType"])
        assert.equal(at(alone, key), at((await feed(world, kind)).told, key))
    }
  )
]

export const feedFiles: Section = {
  document: "beyond",
  heading: "8. Feeds",
  facts: [
    fact("GET /v1/feeds/{gameId}", "it answers catalog, expansions and prices", async ({ ask }) => {
      assert.deepEqual(keysAt(await answered(ask("GET /v1/feeds/tidewrack")), ""), [...kinds].toSorted())
    }),
    told("feedType", "feedType", eachOf(...kinds)),
    told("url / urlExpiresAt", "url", uri),
    told("url / urlExpiresAt", "urlExpiresAt", dateTime),
    fact("url / urlExpiresAt", "the link works without a key, for about an hour", async ({ ask, control, wait }) => {
      const feed = await answered(ask("GET /v1/feeds/emberfall/prices"))
      const now = textAt(await answered(control("GET /sandbox/clock")), "now")
      const minutes = (Date.parse(textAt(feed, "urlExpiresAt")) - Date.parse(now)) / 60_000
      assert.ok(minutes > 50 && minutes < 70, `${minutes} minutes`)
      assert.equal((await fetched(textAt(feed, "url"))).status, 200)
      await wait(3700)
      assert.equal((await fetch(textAt(feed, "url"))).status, 403)
    }),
    told("checksum", "checksum", filled),
    told("format / encoding", "format", just("ndjson")),
    told("format / encoding", "encoding", just("gzip")),
    told("lastRefreshedAt", "lastRefreshedAt", dateTime),
    told("generatedAt", "generatedAt", dateTime),
    ...kinds.flatMap(ofFile),
    fact("generatedAt", "a deployment moves checksum and generatedAt of the catalog", async ({ limited }) => {
      const { control, party } = limited.trade
      const { ask } = await party()
      const read = async () => answered(ask("GET /v1/feeds/clockwork-orchard/catalog"))
      const before = await read()
      await answered(control("POST /sandbox/deploy", { gameId: "clockwork-orchard" }))
      const after = await read()
      assert.notEqual(at(after, "checksum"), at(before, "checksum"))
      assert.ok(textAt(after, "generatedAt") > textAt(before, "generatedAt"))
      assert.ok(textAt(after, "lastRefreshedAt") >= textAt(after, "generatedAt"))
    }),
    ...feedLines,
    fact(
      "",
      "the slugs of the changelog are those of catalog, and a removed item has its slug alone",
      async (world) => {
        const { ask, control } = world
        await answered(control("POST /sandbox/deploy", { gameId: "tidewrack" }))
        const newest = at(
          await answered(ask("GET /v1/feeds/tidewrack/changelog?limit=1&includeChanges=true")),
          "data.0"
        )
        const { bytes } = await fetched(textAt(await answered(ask("GET /v1/feeds/tidewrack/catalog")), "url"))
        const slugs = new Set(
          bytes
            .toString()
            .trimEnd()
            .split("\n")
            .map((each) => at(JSON.parse(each), "slug"))
        )
        const there = [
          ...all(newest, "changes.products.added.*.slug"),
          ...all(newest, "changes.products.modified.*.slug")
        ]
        assert.ok(there.length > 0 && there.every((each) => slugs.has(each)))
        const removed = all(newest, "changes.products.removed.*")
        assert.ok(removed.length > 0)
        for (const each of removed) {
          assert.deepEqual(keysAt(each, ""), ["slug"])
          assert.ok(!slugs.has(at(each, "slug")))
        }
      }
    ),
    untried(
      "GET /v1/feeds/{gameId}/changelog",
      "its limit is 50 unless asked",
      "no invented game has more than four entries"
    ),
    untried(
      "",
      "the invented games have no translations, and a price line names no product that catalog lacks",
      "both were observed in the live service's files"
    )
  ]
}
