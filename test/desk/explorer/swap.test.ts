import { live } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { copyFileSync, existsSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { emptyHome, publishNights } from "../../store/lake/handMadeNights.ts"
import { type Json, card, gameId } from "../../store/lake/invented.ts"
import { columnOf, explore, get, textOf } from "./explored.ts"

/** A home whose game has this many cards. */
const homeOf = Effect.fnUntraced(function* (cards: number, more: Json = {}) {
  const services = yield* Layer.build(emptyHome)
  const products = Array.from({ length: cards }, (_, index) => card(index + 1, more))
  return yield* Effect.gen(function* () {
    yield* publishNights([{ products }])
    return { services: yield* Effect.context<Home | Lake>(), lake: (yield* Home).lake }
  }).pipe(Effect.provideContext(services))
})

/** The descriptors with which this process has a file open although it is deleted. */
const openDeleted = (file: string): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd")
    .map((name) => join("/proc/self/fd", name))
    .flatMap((link) => {
      try {
        return [readlinkSync(link)]
      } catch {
        return []
      }
    })
    .filter((target) => target === `${file} (deleted)`)

live(
  "the next request reads the night's new lake, requests under way end on their own, and the old file is closed",
  function* () {
    const [before, after] = [yield* homeOf(3), yield* homeOf(5)]
    const { page } = yield* explore(before.services)
    const cards = Effect.map(
      page(`/search?q=wicker&game=${gameId}`),
      (found) => columnOf(found, "Products", "name").length
    )
    assert.deepStrictEqual(yield* Effect.all([cards, cards, cards], { concurrency: 3 }), [3, 3, 3])
    const onTheirWay = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 20 }, () => cards),
        { concurrency: 5 }
      )
    )
    yield* Effect.sleep("20 millis")
    copyFileSync(after.lake, `${before.lake}.next`)
    renameSync(`${before.lake}.next`, before.lake)
    assert.strictEqual(yield* cards, 5)
    for (const found of yield* Fiber.join(onTheirWay)) {
      assert.include([3, 5], found)
    }
    assert.strictEqual(yield* cards, 5)
    if (existsSync("/proc/self/fd")) assert.lengthOf(openDeleted(before.lake), 0)
  }
)

live.full("the ids of the night's new lake are audited anew", function* () {
  const [before, after] = [yield* homeOf(2), yield* homeOf(2, { externalIds: { mtgId: "m" } })]
  const { page } = yield* explore(before.services)
  const doubts = Effect.all([
    Effect.map(page(`/games/${gameId}/audit`), (found) => columnOf(found, "Findings", "problem")),
    Effect.map(page(`/games/${gameId}/products/1`), (found) => columnOf(found, "Problems with", "detail"))
  ])
  assert.deepStrictEqual(yield* doubts, [[], []])
  copyFileSync(after.lake, `${before.lake}.next`)
  renameSync(`${before.lake}.next`, before.lake)
  assert.deepStrictEqual(yield* doubts, [["2 products of 2 names share an id"], ["2 products"]])
})

live("a page that cannot be made says so and what to do next, but names no path of this machine", function* () {
  const services = yield* Layer.build(emptyHome)
  const home = yield* Effect.provideContext(Home, services)
  yield* publishNights([{ products: [card(1)] }]).pipe(Effect.provideContext(services))
  const { page, url } = yield* explore(yield* Effect.provideContext(Effect.context<Home | Lake>(), services))
  const messageOf = Effect.fnUntraced(function* (
    status: number,
    answer: { readonly status: number; readonly html: string }
  ) {
    assert.strictEqual(answer.status, status, answer.html)
    assert.notInclude(answer.html, home.root)
    return textOf(/<main[\s\S]*<\/main>/.exec(answer.html)?.[0] ?? "")
  })
  const ask = (sql: string) =>
    get(`${url}/console`, { method: "POST", body: new URLSearchParams({ sql }), headers: { origin: url } })

  rmSync(home.snapshots, { recursive: true })
  assert.match(yield* messageOf(500, yield* page(`/games/${gameId}/products/1`)), /snapshots\/game=.*parquet/)
  assert.match(yield* messageOf(200, yield* ask("from source_price_history")), /snapshots\/game=.*parquet/)
  assert.match(yield* messageOf(200, yield* ask("from 'current.json'")), /disabled by configuration/)
  rmSync(home.lake)
  assert.include(yield* messageOf(503, yield* page("/")), "cardlake doctor --repair")
  writeFileSync(home.lake, "no lake")
  assert.include(yield* messageOf(500, yield* page("/")), "lake.duckdb")
  yield* messageOf(500, yield* ask("select 1"))
  renameSync(home.root, `${home.root} elsewhere`)
  assert.include(
    yield* messageOf(503, yield* page("/")),
    "the home is not there any more: the data directory was moved"
  )
  renameSync(`${home.root} elsewhere`, home.root)
})
