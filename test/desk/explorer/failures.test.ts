import { live } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rmSync, writeFileSync } from "node:fs"
import { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { emptyHome } from "../../store/lake/handMadeReading.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/publishedNights.ts"
import { explore, get, textOf } from "./explored.ts"

live("a page that cannot be made says so and what to do next, but names no path of this machine", function* () {
  const services = yield* Layer.build(emptyHome)
  const home = yield* Effect.provideContext(Home, services)
  yield* publishNights([{ products: [card(1)] }]).pipe(Effect.provideContext(services))
  const { page, url } = yield* explore(yield* Effect.provideContext(Effect.context<Home | Lake>(), services))
  const said = Effect.fnUntraced(function* (
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
  assert.match(yield* said(500, yield* page(`/games/${gameId}/products/1`)), /snapshots\/game=.*parquet/)
  assert.match(yield* said(200, yield* ask("from source_price_history")), /snapshots\/game=.*parquet/)
  assert.match(yield* said(200, yield* ask("from 'current.json'")), /disabled by configuration/)
  rmSync(home.lake)
  assert.include(yield* said(503, yield* page("/")), "cardlake doctor --repair")
  writeFileSync(home.lake, "no lake")
  assert.include(yield* said(500, yield* page("/")), "lake.duckdb")
  yield* said(500, yield* ask("select 1"))
})
