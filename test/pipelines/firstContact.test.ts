import { folderHere, sandboxHere } from "../support/place.ts"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Alterations, manifestOf, plainService, plainSums, startAltered, tableSums } from "./alteredMarketplace.ts"
import { assertFault, cardlake, json, remove, settings } from "./cli.ts"
import { isFull } from "../tried.ts"

const folder = folderHere()
const at = (name: string) => join(folder, name)

/** The smallest game of the sample. */
const game = "clockwork-orchard"

const altered: Alterations & { largestPage: number } = {
  renamed: { sourceEur: "harbourEur", nameSlug: "handle", printNumber: "collectorNumber" },
  moved: { figure: "marketValue", to: ["trend", "value"] },
  largestPage: 200
}

const sandbox = await sandboxHere(plainService)
const service = await startAltered(sandbox.url, altered)
afterAll(() => service.stop())

const run = (home: string, ...args: ReadonlyArray<string>) =>
  cardlake(args, { env: settings(service.url, at(home)), cwd: folder })

const sumOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex")

describe("a service with three words renamed, a price key moved and another page limit", () => {
  it("is held with a sentence that says how to go on", async () => {
    const { code, stdout } = await run("other", "nightly", game)
    assert.strictEqual(code, 3)
    assert.match(
      stdout,
      /clockwork-orchard held: 400 records were refused \(99\.5 %\)[^]*cardlake doctor --capture capture\.json/
    )
  })

  it("is captured, and what it calls otherwise is proposed as a dialect file", async () => {
    assert.strictEqual((await run("other", "doctor", "--capture", "capture.json", "--game", game, "--yes")).code, 0)
    const { code, stderr, stdout } = await cardlake(["dialect", "capture.json"], { cwd: folder })
    assert.strictEqual(code, 0)
    assert.include(stderr, "ok   products: 200 records understood")
    assert.deepStrictEqual(JSON.parse(stdout), {
      name: "mine",
      like: "spec",
      blocks: { sourceEur: "harbourEur" },
      ids: { sourceEur: "harbourEur" },
      moved: {
        products: {
          nameSlug: "handle",
          printNumber: "collectorNumber",
          "pricesByFinish.*.*.marketValue": "pricesByFinish.*.*.trend.value",
          "prices.*.marketValue": "prices.*.trend.value"
        }
      }
    })
    writeFileSync(at("dialect.json"), stdout)
    const tried = await cardlake(["dialect", "capture.json", "--dialect", "dialect.json"], { cwd: folder })
    assert.strictEqual(tried.code, 0)
    assert.include(tried.stdout, "A night can read this")
    const without = await cardlake(["dialect", "capture.json", "--dialect", "spec"], { cwd: folder })
    assert.strictEqual(without.code, 1)
    assert.match(without.stdout, /BAD {2}products: \d+ of 200 are refused, the first one for nameSlug: Missing key/)
  })

  it("has its held night published by replay, with the rows of a plain night, and the file in its manifest", async () => {
    const done = await run("other", "replay", game, "--dialect", "dialect.json")
    assert.strictEqual(done.code, 0, done.stderr)
    assert.deepStrictEqual(tableSums(at("other"), game), await plainSums(game))
    const { dialect, dialectFile } = manifestOf(at("other"), game)
    const sum = sumOf(at("dialect.json"))
    assert.strictEqual(dialect, `spec+mine@${sum.slice(0, 12)}`)
    assert.strictEqual(dialectFile?.sha256, sum)
    assert.deepStrictEqual<unknown>(dialectFile?.content, JSON.parse(readFileSync(at("dialect.json"), "utf8")))
  })

  it.runIf(isFull)("is read again later without the file", async () => {
    remove(at("dialect.json"))
    const again = await run("other", "replay", game)
    assert.strictEqual(again.code, 0, again.stdout + again.stderr)
    assert.include(again.stdout, "are identical, byte for byte")
    const auto = await run("other", "replay", game, "--dialect", "auto")
    assert.strictEqual(auto.code, 0, auto.stdout + auto.stderr)
  })

  it.runIf(isFull)(
    "that gives fewer records of a page fails with the next step, and is read with a file that says so",
    async () => {
      altered.largestPage = 50
      const failed = await run("small", "nightly", game)
      assert.strictEqual(failed.code, 1)
      assert.match(
        failed.stdout,
        /refused GET \S+limit=200&offset=0 with 400 BAD_REQUEST: limit: at most 50\. .*doctor --capture capture\.json/
      )
      assert.strictEqual((await run("small", "doctor", "--capture", "small.json", "--game", game, "--yes")).code, 0)
      const { stdout } = await cardlake(["dialect", "small.json"], { cwd: folder })
      assert.deepInclude(JSON.parse(stdout), { pages: { offset: 50 } })
      writeFileSync(at("small-dialect.json"), stdout)
      const night = json(await run("small", "nightly", game, "--json", "--dialect", "small-dialect.json"))
      assert.deepInclude((night as { games: ReadonlyArray<object> }).games[0], { verdict: "published", refused: 0 })
      assert.deepStrictEqual(tableSums(at("small"), game), await plainSums(game))
    }
  )
})

describe("a dialect file", () => {
  const tried = async (text: string) => {
    writeFileSync(at("wrong.json"), text)
    return cardlake(["dialect", "capture.json", "--dialect", "wrong.json"], { cwd: folder })
  }
  const wrong: ReadonlyArray<readonly [string, RegExp]> = [
    ["{", /wrong\.json cannot be used: it is not JSON/],
    [`{"name":"a"}`, /cannot be used: like: .*start from a valid one: cardlake dialect --like live/],
    [
      `{"name":"a","like":"spec","block":{}}`,
      /cannot be used: block: allowed are name, like, blocks, ids, currencies, changedIds, pages, moved\. .* --like spec/
    ],
    [
      `{"name":"a","like":"live","blocks":{"sourceYen":"y"}}`,
      /blocks: sourceYen: allowed are sourceEur, sourceUsd, marketplace/
    ],
    [`{"name":"a","like":"live","blocks":{"sourceEur":"a","sourceEur":"b"}}`, /blocks: sourceEur: it occurs twice/],
    [`{"name":"a","like":"live","blocks":{"sourceEur":5}}`, /cannot be used: blocks: sourceEur: /],
    [`{"name":"a","like":"live","blocks":{"sourceEur":"tcgplayer"}}`, /blocks: two of them are called tcgplayer/],
    [`{"name":"a","like":"live","pages":{"offset":500}}`, /pages: offset: /],
    [
      `{"name":"a","like":"spec","moved":{"products":{"nam":"x"}}}`,
      /moved: products: nam: the contract has no nam there; it has id, /
    ],
    [
      `{"name":"a","like":"spec","moved":{"products":{"prices.*.low":"low"}}}`,
      /prices\.\*\.low: low has not as many \*/
    ],
    [`{"name":"a","like":"spec","moved":{"products":{"name":"x","nameSlug":"x"}}}`, /moved: products: x stands for two/]
  ]
  it.each(wrong)("that is wrong is refused with the place: %s", async (text, sentence) => {
    assertFault(await tried(text), 2, sentence)
  })

  it("may begin with the mark of an encoding", async () => {
    const { stdout } = await tried(`\uFEFF{"name":"a","like":"spec"}`)
    assert.include(stdout, "With the names of spec+a@")
  })

  it("is begun with a known dialect, all of which it says", async () => {
    const { stdout } = await cardlake(["dialect", "--like", "live"])
    assert.deepInclude(JSON.parse(stdout), {
      like: "live",
      blocks: { sourceEur: "cardmarket", sourceUsd: "tcgplayer", marketplace: "cardnexus" },
      changedIds: { products: "productId", expansions: "expansionId" }
    })
    writeFileSync(at("begun.json"), stdout)
    const same = await cardlake(["dialect", "capture.json", "--dialect", "begun.json"], { cwd: folder })
    assert.include(same.stdout, "With the names of live+mine@")
  })
})
