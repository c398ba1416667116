import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Fiber, type FileSystem, type Scope } from "effect"
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import type { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import type { Extraction } from "../../../src/feed/reading/Extraction.ts"
import { unfinishedExtraction } from "../../../src/feed/reading/StoredRound.ts"
import { against, StrangeServer, type Asked } from "../client/StrangeServer.ts"
import { cards, serve } from "./feed.ts"
import { card } from "../rows/records.ts"
import { idOf } from "../../store/lake/invented.ts"
import { live, newFolder } from "../../support/suite.ts"

/** 2,050 cards in 11 pages, three of them refused, some with an unknown key. */
const odd = () =>
  cards(2050)
    .with(200, card(201, { name: null }))
    .with(900, null)
    .with(1500, card(1501, { ean: "4" }))

const requestOf = ({ body, path, query }: Asked) => `${path}?${query} ${body}`
const asked = Effect.map(StrangeServer, ({ asked }) => asked.map(requestOf))

/** A game's folder, with readings that die and readings that continue them. */
const readings = Effect.gen(function* () {
  const root = yield* newFolder
  const game = join(root, "fable")
  const read = (runId: string, resume: string | null, onPage: (pages: number) => void = () => {}) =>
    extractGame({
      gameId: "fable",
      runId: idOf(runId),
      folder: join(game, runId),
      previousDeploymentId: null,
      resume,
      onProgress: ({ kind, pagesDone }) => (kind === "products" ? onPage(pagesDone) : undefined)
    })
  return {
    game,
    folder: (runId: string) => join(game, runId),
    read,
    /** Reads so many pages of products, then stops as a killed process would. */
    die: Effect.fnUntraced(function* (pages: number) {
      const reached = yield* Deferred.make<void>()
      const reading = yield* Effect.forkChild(
        read("r1", null, (done) => {
          if (done === pages) Deferred.doneUnsafe(reached, Effect.void)
        })
      )
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(reading)
    }),
    continued: Effect.flatMap(unfinishedExtraction(game, new Set()), (resume) => read("r2", resume))
  }
})

/** What a snapshot is made from: every page, and the refusals. */
const content = (folder: string, { pages, refused, unknownKeys }: Extraction) => ({
  pages: pages.map((page) => [{ ...page, requestId: null }, readFileSync(join(folder, page.file)).toString("base64")]),
  refused,
  unknownKeys,
  refusals: readFileSync(join(folder, "refusals.ndjson"), "utf8")
})

const run =
  (answer: (asked: Asked, response: ServerResponse) => void = serve({ products: odd })) =>
  <A, E>(effect: Effect.Effect<A, E, Scope.Scope | FileSystem.FileSystem | Marketplace | StrangeServer>) =>
    effect.pipe(Effect.scoped, against(answer, { timeoutMillis: 10_000 }), Effect.provide(NodeFileSystem.layer))

/** Requests in the ledger of a run, as the server sees them. */
const onDisk = (folder: string): ReadonlyArray<string> =>
  readFileSync(join(folder, "ledger.ndjson"), "utf8")
    .split("\n")
    .flatMap((line) => (line.includes('"file"') ? [String(JSON.parse(line).request)] : []))
    .map((request) =>
      request.replace(/^(GET|POST) /, "").replace(/\?(\S+)/, (_, query) => `?${new URLSearchParams(query)}`)
    )
    .map((request) => (request.includes(" ") ? request : `${request} `))

describe("a reading that died", () => {
  for (const pages of [1, 4, 10]) {
    live(`after ${pages} pages of products is continued; only a few pages on disk are requested again`, () =>
      Effect.gen(function* () {
        const { continued, die, folder, read } = yield* readings
        yield* die(pages)
        const kept = onDisk(folder("r1")).filter((request) => request.startsWith("/v1/products"))
        assert.isAtLeast(kept.length, pages)
        // Requests of the dead reading still reach the server.
        yield* Effect.sleep(100)
        const before = (yield* asked).length
        const extraction = yield* continued
        const later = (yield* asked).slice(before)
        const again = later.filter((request) => kept.includes(request))
        assert.deepStrictEqual(again, [...new Set(again)])
        assert.isAtMost(again.length, 5, "the pages that every reading requests again at its end")
        assert.isAtLeast(extraction.resumedPages ?? 0, kept.length)
        assert.deepStrictEqual(content(folder("r2"), extraction), content(folder("r3"), yield* read("r3", null)))
      }).pipe(run())
    )
  }

  live("is continued a second time, and keeps the time at which it began", () =>
    Effect.gen(function* () {
      const { die, folder, game, read } = yield* readings
      yield* die(3)
      const { startedAt } = JSON.parse(
        readFileSync(join(folder("r1"), "ledger.ndjson"), "utf8")
          .trim()
          .split("\n")[0] ?? ""
      )
      const died = yield* Effect.flatMap(unfinishedExtraction(game, new Set()), (resume) =>
        read("r2", resume, (done) => {
          if (done === 6) throw new Error("killed")
        })
      ).pipe(Effect.exit)
      assert.strictEqual(died._tag, "Failure")
      const extraction = yield* Effect.flatMap(unfinishedExtraction(game, new Set()), (resume) => read("r3", resume))
      assert.strictEqual(extraction.startedAt, startedAt)
      assert.isAtLeast(extraction.resumedPages ?? 0, 6)
      assert.deepStrictEqual(readdirSync(game), ["r3"])
    }).pipe(run())
  )

  live("that was complete but never loaded is taken whole", () =>
    Effect.gen(function* () {
      const { continued, folder, read } = yield* readings
      const whole = yield* read("r1", null)
      const first = content(folder("r1"), whole)
      const before = (yield* asked).length
      const again = yield* continued
      assert.deepStrictEqual(content(folder("r2"), again), first)
      assert.strictEqual(again.resumedPages, whole.pages.length - 1)
      const later = (yield* asked).slice(before).map((request) => request.split("?")[0])
      assert.deepStrictEqual(later, [
        "/v1/feeds/fable/changelog",
        "/v1/games",
        ...Array.from({ length: 5 }, () => "/v1/products/search"),
        "/v1/feeds/fable/changelog"
      ])
    }).pipe(run())
  )

  const damages: ReadonlyArray<readonly [string, (folder: string) => void]> = [
    ["a page is cut", (folder) => truncateSync(join(folder, "pages/products-000001.json.gz"), 100)],
    ["a page has other bytes", (folder) => writeFileSync(join(folder, "pages/products-000001.json.gz"), "{}")],
    ["a page is missing", (folder) => rmSync(join(folder, "pages/products-000001.json.gz"))],
    ["all pages are missing", (folder) => rmSync(join(folder, "pages"), { recursive: true, maxRetries: 9 })],
    ["a line of the ledger is cut", (folder) => appendFileSync(join(folder, "ledger.ndjson"), '{"kind":"prod')],
    ["the ledger is empty", (folder) => truncateSync(join(folder, "ledger.ndjson"), 0)],
    ["the ledger is missing", (folder) => rmSync(join(folder, "ledger.ndjson"))],
    ["the folder is missing", (folder) => rmSync(folder, { recursive: true, maxRetries: 9 })]
  ]
  for (const [what, damage] of damages) {
    live(`gives the same pages and refusals as a new one where ${what}`, () =>
      Effect.gen(function* () {
        const { continued, die, folder, read } = yield* readings
        yield* die(4)
        damage(folder("r1"))
        const extraction = yield* continued
        assert.deepStrictEqual(content(folder("r2"), extraction), content(folder("r3"), yield* read("r3", null)))
      }).pipe(run())
    )
  }

  live("is not continued when it began more than six hours ago, or in the future", () =>
    Effect.gen(function* () {
      for (const hours of [-7, 7]) {
        const { continued, die, folder } = yield* readings
        yield* die(4)
        const ledger = join(folder("r1"), "ledger.ndjson")
        const startedAt = new Date(Date.now() + hours * 3_600_000).toISOString()
        writeFileSync(ledger, readFileSync(ledger, "utf8").replace(/"startedAt":"[^"]+"/, `"startedAt":"${startedAt}"`))
        assert.isUndefined((yield* continued).resumedPages)
      }
    }).pipe(run())
  )

  live("is not continued when the game has been deployed since", () => {
    let head = "d1"
    return Effect.gen(function* () {
      const { continued, die } = yield* readings
      yield* die(4)
      head = "d2"
      const extraction = yield* continued
      assert.deepStrictEqual([extraction.deploymentId, extraction.resumedPages], ["d2", undefined])
    }).pipe(run(serve({ products: odd, head: () => head })))
  })

  live("is not continued when it was torn", () => {
    let low = 0
    let moves = 1
    const priced = () =>
      cards(450, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: (low += moves) } } } })
    return Effect.gen(function* () {
      const { continued, read } = yield* readings
      const error = yield* Effect.flip(read("r1", null))
      assert.strictEqual(error._tag, "Torn")
      moves = 0
      const extraction = yield* continued
      assert.deepStrictEqual([extraction.rounds, extraction.resumedPages], [1, undefined])
    }).pipe(run((asked, response) => serve({ products: priced })(asked, response)))
  })

  live("is given up when prices have moved since without a changelog entry", () => {
    let low = 1
    const priced = () => cards(450, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low } } } })
    return Effect.gen(function* () {
      const { continued, die, folder, read } = yield* readings
      yield* die(2)
      low = 2
      const extraction = yield* continued
      assert.deepStrictEqual([extraction.rounds, extraction.resumedPages], [2, undefined])
      assert.deepStrictEqual(content(folder("r2"), extraction), content(folder("r3"), yield* read("r3", null)))
    }).pipe(run((asked, response) => serve({ products: priced })(asked, response)))
  })
})
