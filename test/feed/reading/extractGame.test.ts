import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { createHash } from "node:crypto"
import type { ServerResponse } from "node:http"
import { gunzipSync } from "node:zlib"
import { DeploymentId } from "../../../src/feed/contract/Ids.ts"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { readExtraction, readRefusals } from "../../../src/feed/reading/readExtraction.ts"
import { against, sendError, sendJson, StrangeServer, type Asked } from "../client/StrangeServer.ts"
import { cards, entry, serve, type Feed } from "./feed.ts"
import { card } from "../rows/records.ts"
import { idOf } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"

const extract = (previousDeploymentId: DeploymentId | null = null) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = `${yield* fs.makeTempDirectoryScoped()}/raw/fable/r1`
    return {
      folder,
      fs,
      result: yield* Effect.result(extractGame({ gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId }))
    }
  })
const succeed = Effect.fnUntraced(function* (previousDeploymentId: DeploymentId | null = null) {
  const { folder, fs, result } = yield* extract(previousDeploymentId)
  return { folder, fs, extraction: yield* Effect.fromResult(result) }
})
const fail = Effect.flatMap(extract(), ({ folder, fs, result }) =>
  Effect.map(Effect.flip(Effect.fromResult(result)), (error) => ({ error, folder, fs }))
)
const run =
  (answer: (asked: Asked, response: ServerResponse) => void) =>
  <A, E>(effect: Effect.Effect<A, E, Effect.Services<ReturnType<typeof extract>> | StrangeServer>) =>
    effect.pipe(Effect.scoped, against(answer), Effect.provide(NodeFileSystem.layer))

describe("extractGame", () => {
  live("stores every page byte for byte and lists it with its number of records", () =>
    Effect.gen(function* () {
      const { extraction, folder, fs } = yield* succeed()
      assert.deepStrictEqual(
        [extraction.deploymentId, extraction.rounds, extraction.products, extraction.expansions, extraction.refused],
        ["d1", 1, 450, 2, 0]
      )
      assert.deepStrictEqual(
        extraction.pages.map(({ file, records }) => `${file} ${records}`),
        [
          "pages/games-000000.json.gz 1",
          "pages/expansions-000000.json.gz 2",
          "pages/products-000000.json.gz 200",
          "pages/products-000001.json.gz 200",
          "pages/products-000002.json.gz 50",
          "pages/changelog-000000.json.gz 3"
        ]
      )
      for (const { file, sha256, sizeBytes } of extraction.pages) {
        const bytes = yield* fs.readFile(`${folder}/${file}`)
        assert.strictEqual(gunzipSync(bytes).length, sizeBytes)
        assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), sha256)
      }
      assert.deepStrictEqual(yield* readExtraction(folder), extraction)
    }).pipe(run(serve()))
  )

  live("compresses pages that came without compression", () =>
    Effect.gen(function* () {
      const { extraction, folder, fs } = yield* succeed()
      const bytes = yield* fs.readFile(`${folder}/${extraction.pages[0]?.file}`)
      assert.deepStrictEqual(JSON.parse(gunzipSync(bytes).toString()), { data: [{ id: "fable", name: "Fable" }] })
    }).pipe(
      run((asked, response) =>
        asked.path === "/v1/games" ? response.end('{"data":[{"id":"fable","name":"Fable"}]}') : serve()(asked, response)
      )
    )
  )

  live("reads the game again when it was redeployed meanwhile, and keeps nothing of the first reading", () =>
    Effect.gen(function* () {
      const { extraction, folder, fs } = yield* succeed()
      assert.deepStrictEqual([extraction.deploymentId, extraction.rounds, extraction.products], ["d2", 2, 30])
      assert.strictEqual((yield* fs.readDirectory(`${folder}/pages`)).length, extraction.pages.length)
    }).pipe(
      run(serve({ head: (round) => (round === 0 ? "d1" : "d2"), products: (round) => cards(round === 1 ? 450 : 30) }))
    )
  )

  live("is torn, and leaves no extraction, when the feed never stands still", () =>
    Effect.gen(function* () {
      const { error, folder, fs } = yield* fail
      assert.strictEqual(error._tag, "Torn")
      assert.match(error.message, /each of 5 rounds \(heads d0, d1, d2, d3, d4, d5\)/)
      assert.isFalse(yield* fs.exists(`${folder}/extraction.json`))
    }).pipe(run(serve({ head: (round) => `d${round}` })))
  )

  live("reads again when a page shifted once", () =>
    Effect.gen(function* () {
      const { extraction } = yield* succeed()
      assert.deepStrictEqual([extraction.rounds, extraction.products], [2, 450])
    }).pipe(run(serve({ products: (round) => (round === 1 ? [...cards(449), card(7)] : cards(450)) })))
  )

  const mismatches: ReadonlyArray<readonly [string, Feed, RegExp]> = [
    [
      "an id on two pages",
      { products: () => [...cards(449), card(7)] },
      /total 450 but 449 distinct in the products; twice: 7 \(offsets 6, 449\)/
    ],
    ["a total that is too high", { total: () => 460 }, /50 records instead of 60 in the products at offset 400/],
    ["a total that is huge", { total: () => 19e6 }, /50 records instead of 200 in the products at offset 400/],
    ["a total that is too low", { total: () => 420 }, /50 records instead of 20/],
    [
      "a total that moves",
      { total: (_, offset) => 450 + offset },
      /total changed from 450 to 650 in the products at offset 200/
    ],
    [
      "a hasMore that never ends",
      { hasMore: true },
      /hasMore is true past the total of 2 in the expansions at offset 0/
    ]
  ]
  for (const [what, feed, says] of mismatches) {
    live(`${what} is a census mismatch after the last round`, () =>
      Effect.gen(function* () {
        const { error } = yield* fail
        assert.strictEqual(error._tag, "CensusMismatch")
        assert.match(error.message, says)
        assert.isBelow((yield* StrangeServer).asked.length, 250)
      }).pipe(run(serve(feed)))
    )
  }

  live("counts refused records in the census and stores each with its position", () =>
    Effect.gen(function* () {
      const { extraction, folder, fs } = yield* succeed()
      assert.deepStrictEqual([extraction.products, extraction.refused], [447, 3])
      const refusals = yield* Stream.runCollect(readRefusals(folder))
      assert.deepStrictEqual(
        refusals.map(({ id, index, page, path }) => [page, index, id, path]),
        [
          ["pages/products-000001.json.gz", 0, "201", "name"],
          ["pages/products-000002.json.gz", 0, null, ""],
          ["pages/products-000002.json.gz", 49, "450", "gameId"]
        ]
      )
      const page = extraction.pages.find(({ file }) => file === "pages/products-000001.json.gz")
      assert.deepStrictEqual([page?.records, page?.refused], [200, 1])
      const kept = JSON.parse(gunzipSync(yield* fs.readFile(`${folder}/${page?.file}`)).toString())
      assert.deepStrictEqual(kept.data.slice(1), cards(450).slice(201, 400))
    }).pipe(
      run(
        serve({
          products: () =>
            cards(450)
              .with(200, card(201, { name: null }))
              .with(400, null)
              .with(449, card(450, { gameId: "other" }))
        })
      )
    )
  )

  live("reports unknown keys with the number of records that have them", () =>
    Effect.gen(function* () {
      const { extraction } = yield* succeed()
      assert.deepStrictEqual(extraction.unknownKeys, [{ kind: "products", path: "ean", records: 450 }])
    }).pipe(run(serve({ products: () => cards(450, { ean: "4" }) })))
  )

  live("asks for the changes of deployments newer than the last one known, and of no older ones", () =>
    Effect.gen(function* () {
      const { extraction } = yield* succeed(DeploymentId.make("d0"))
      const requests = extraction.pages.filter(({ kind }) => kind === "changelog").map(({ request }) => request)
      assert.deepStrictEqual(requests, ["GET /v1/feeds/fable/changelog?limit=1&includeChanges=true"])
    }).pipe(
      run((asked, response) =>
        asked.path.endsWith("/changelog") && asked.query.get("limit") === "100"
          ? sendJson(response, { data: [entry("d1"), entry("d0")], pagination: { nextCursor: "more" } })
          : serve()(asked, response)
      )
    )
  )

  live("leaves a ledger with the start of every round and every page on disk", () =>
    Effect.gen(function* () {
      const { extraction, folder, fs } = yield* succeed()
      const [start, ...pages] = (yield* fs.readFileString(`${folder}/ledger.ndjson`)).trim().split("\n")
      const { startedAt, ...round } = JSON.parse(start ?? "")
      assert.deepStrictEqual(round, { round: 1, head: "d1", continued: false })
      assert.isAtMost(Math.abs(Date.parse(startedAt) - Date.parse(extraction.startedAt)), 1000)
      assert.sameDeepMembers(
        pages.map((line) => JSON.parse(line)),
        [...extraction.pages]
      )
    }).pipe(run(serve()))
  )

  live("fails with the marketplace's own reason for a game it does not know", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* fail).error._tag, "NotFound")
    }).pipe(run((_, response) => sendError(response, 500, "GAME_NOT_FOUND", { gameId: "fable" })))
  )

  live("says so when the folder cannot be written", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        extractGame({ gameId: "fable", runId: idOf("r1"), folder: "/dev/null/raw", previousDeploymentId: null })
      )
      assert.strictEqual(error._tag, "RawFilesFailed")
      assert.match(error.message, /\/dev\/null\/raw.*CARDLAKE_HOME/)
    }).pipe(run(serve()))
  )

  live("reports its progress page by page", () => {
    const seen: Array<string> = []
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      yield* extractGame({
        gameId: "fable",
        runId: idOf("r1"),
        folder: yield* fs.makeTempDirectoryScoped(),
        previousDeploymentId: null,
        onProgress: ({ kind, pagesDone, pagesTotal, records }) =>
          seen.push(`${kind} ${pagesDone}/${pagesTotal} ${records}`)
      })
      assert.deepStrictEqual(seen, [
        "expansions 1/1 2",
        "products 1/3 200",
        "products 2/3 400",
        "products 3/3 450",
        "changelog 1/null 3"
      ])
    }).pipe(run(serve()))
  })
})
