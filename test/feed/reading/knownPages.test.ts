import { assert, describe } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { readExtraction, readRefusals } from "../../../src/feed/reading/readExtraction.ts"
import type { Refusal } from "../../../src/feed/rows/acceptPage.ts"
import type { Extraction } from "../../../src/feed/reading/Extraction.ts"
import type { Batches } from "../../../src/feed/rows/shredRound.ts"
import { isSameReading, knownPages } from "../../../src/night/run/isSameReading.ts"
import { against, sendJson } from "../client/StrangeServer.ts"
import { idOf } from "../../store/lake/invented.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { newFolder, live, testIn } from "../../support/suite.ts"
import { fileRows } from "../../store/lake/tableRows.ts"
import { card } from "../rows/records.ts"
import { type Feed, serve } from "./feed.ts"
import { NodeFileSystem } from "@effect/platform-node"

/** 650 cards in four pages: each page has one that is refused and one with a key of its own. */
const cardOf = (id: number) => card(id, id % 200 === 7 ? { name: null } : id % 200 === 9 ? { [`only${id}`]: 1 } : {})

const all = Array.from({ length: 650 }, (_, at) => cardOf(at + 1))
const changed = (at: number, fields: object) => all.with(at, { ...cardOf(at + 1), ...fields })

interface Reading {
  readonly batches: Batches
  readonly extraction: Extraction
  readonly refusals: ReadonlyArray<Refusal>
}

/** What a reading comes to, whenever it was made. */
const summaryOf = Effect.fnUntraced(function* ({ batches, extraction, refusals }: Reading) {
  const { completedAt: _at, pages, runId: _run, startedAt: _from, ...rest } = extraction
  const rows = yield* fileRows(
    `select product_id::varchar as id, name from read_parquet('${batches.folder}/products/*.parquet') order by product_id`
  )
  return {
    rest: { ...rest, unknownKeys: rest.unknownKeys.toSorted((a, b) => (a.path < b.path ? -1 : 1)) },
    pages: pages.map(({ requestId: _id, ...page }) => page),
    refusals: refusals.map((one) => JSON.stringify(one)).toSorted(),
    rows
  }
})

/** A reading of what `now` serves, as a first one and beside the reading of what was served before. */
const twoReadings = (now: Feed & { readonly games?: ReadonlyArray<object> }) => {
  let isLater = false
  const [first, later] = [serve({ products: () => all }), serve({ products: () => all, ...now })]
  return Effect.gen(function* () {
    const home = yield* Home
    const marketplace = yield* Marketplace
    const reading = Effect.fnUntraced(function* (
      run: string,
      known: Parameters<typeof extractGame>[0]["known"] = null
    ) {
      const games = yield* marketplace.games
      const batches: Batches = { folder: yield* newFolder, isWhole: false }
      const folder = home.raw("fable", idOf(run))
      const of = { gameId: "fable", runId: idOf(run), folder, previousDeploymentId: null, games, batches, known }
      const extraction = yield* extractGame(of)
      return { batches, extraction, refusals: yield* Stream.runCollect(readRefusals(folder)) }
    })
    const before = (yield* reading("r1")).extraction
    isLater = true
    const known = yield* knownPages(before, yield* marketplace.games)
    assert.isNotNull(known)
    const beside = yield* reading("r2", known)
    const alone = yield* reading("r3")
    return {
      isSame: yield* isSameReading(before, beside.extraction),
      isWhole: beside.batches.isWhole,
      refusals: beside.refusals.length,
      beside: yield* summaryOf(beside),
      alone: yield* summaryOf(alone)
    }
  }).pipe(
    against((asked, response) => {
      const isOther = isLater && now.games !== undefined && asked.path === "/v1/games"
      if (isOther) return sendJson(response, { data: now.games })
      return (isLater ? later : first)(asked, response)
    }),
    Effect.provide(emptyHome),
    Effect.scoped
  )
}

describe("a reading beside the published one", () => {
  live("opens only the first page of products while nothing is new", function* () {
    const { isSame, isWhole, refusals } = yield* twoReadings({})
    assert.deepStrictEqual([isSame, isWhole, refusals], [true, false, 1])
  })

  for (const at of [0, 250, 649]) {
    live(`keeps and counts what one alone does if product ${at + 1} is new`, function* () {
      const { alone, beside, isWhole, refusals } = yield* twoReadings({ products: () => changed(at, { name: "New" }) })
      assert.deepStrictEqual([isWhole, refusals], [true, 4])
      assert.deepStrictEqual(beside, alone)
    })
  }

  live("finds the id that a new page and an unopened one both have", function* () {
    const fault = yield* Effect.flip(twoReadings({ products: () => changed(649, { id: 5 }) }))
    assert.include(fault.message, "twice: 5 (offsets 4, 649)")
  })

  live("is a whole one if the deployment is another, though every page is the same", function* () {
    const { alone, beside, isWhole } = yield* twoReadings({ head: () => "d2" })
    assert.isTrue(isWhole)
    assert.deepStrictEqual(beside, alone)
  })

  live(
    "is a whole one if the list of games has another key that is not known, though the game is listed as before",
    function* () {
      const games = [
        { id: "fable", name: "Fable" },
        { id: "other", name: "Other", odd: 1 }
      ]
      const { alone, beside, isWhole } = yield* twoReadings({ games })
      assert.isTrue(isWhole)
      assert.deepStrictEqual(beside, alone)
    }
  )
})

for (const [what, text] of [
  ["nothing", undefined],
  ["half an extraction", '{"gameId":"fable"'],
  ["an extraction of another shape", '{"gameId":"fable"}']
] as const) {
  testIn(NodeFileSystem.layer)(
    `a folder with ${what} cannot be read as an extraction, and the error says what to do`,
    function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      if (text !== undefined) yield* fs.writeFileString(`${folder}/extraction.json`, text)
      const error = yield* Effect.flip(readExtraction(folder))
      assert.strictEqual(error._tag, "ExtractionUnreadable")
      assert.match(error.message, /cardlake nightly$/)
    }
  )
}
