import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { cpSync, renameSync, rmSync } from "node:fs"
import { marketplaceServices } from "../../pipelines/settings/marketServices.ts"
import { homeServices } from "../../pipelines/settings/services.ts"
import type { BackfillOptions } from "../../src/night/run/backfill/backfillQueue.ts"
import { runBackfill } from "../../src/night/run/backfill/runBackfill.ts"
import { onDay } from "../homes/frozenHome.ts"
import { card, expansion, gameId } from "../store/lake/invented.ts"
import { builtOnce } from "../builtOnce.ts"
import { tinyMarketplace, type TinyHome } from "../safety/tinyNights.ts"
import { readCases } from "../support/readCases.ts"
import type { Test } from "../support/suite.ts"

/** A backfill of the tiny game, in the home and against the marketplace of its settings unless another one is named. */
export const backfill = (
  home: TinyHome,
  options: Partial<BackfillOptions> = {},
  { share = 1, url = home.settings.CARDLAKE_URL }: { readonly share?: number; readonly url?: string } = {}
) => {
  const settings = { ...home.settings, CARDLAKE_URL: url }
  const marketplace = marketplaceServices(settings, { share: { common: share, own: share } })
  const services = Layer.merge(homeServices(settings), marketplace).pipe(Layer.provideMerge(NodeServices.layer))
  return Effect.flatMap(Layer.build(services), (context) =>
    Effect.provideContext(
      runBackfill({ games: [gameId], where: null, from: null, ...options }, () => {}),
      context
    )
  ).pipe(Effect.scoped)
}

/** The values of a query's rows, as JSON has them. */
export const valuesOf = (home: TinyHome, sql: string) =>
  Effect.map(home.query(`select to_json(t)::varchar as row from (${sql}) t`), (rows) =>
    rows.map(({ row }) => Object.values(JSON.parse(String(row)) as object) as ReadonlyArray<unknown>)
  )

const priced = (id: number, marketValue: number) =>
  card(id, {
    expansionId: 1,
    expansion: { id: 1, code: "M1", name: "Marsh 1" },
    pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 1, marketValue } } }
  })

/** Card 1 costs 10 on 1 May and a euro more every day; card 2 always 50; card 3 has no price. Released on 30 April. */
export const days = [0, 1, 2, 3, 4].map((day) => ({
  expansions: [expansion(1, { releaseDate: "2026-04-30T00:00:00.000Z" })],
  products: [priced(1, 10 + day), priced(2, 50), card(3)]
}))

/** Read on 3 May, before the deployment of that day, and on 5 May; its backfill was asked for on 6 May. */
export const makeBackfilled = Effect.gen(function* () {
  const marketplace = yield* tinyMarketplace({ days })
  yield* marketplace.deploy
  const home = yield* marketplace.newHome
  yield* home.night.pipe(onDay("05-03"))
  for (let day = 3; day <= 5; day++) yield* marketplace.deploy
  yield* home.night.pipe(onDay("05-05"))
  const prices = yield* valuesOf(home, "from prices_at('2026-05-04 12:00')")
  const backfilled = yield* valuesOf(home, "select count(*) from backfilled_prices")
  yield* backfill(home).pipe(onDay("05-06"))
  const night = yield* home.night.pipe(onDay("05-07"))
  return { home, marketplace, before: { prices, backfilled }, night, verdict: night.games[0]?.verdict }
})

/** A home with what a backfill brought: made once for the tests of a process, which do not change it. */
export class Backfilled extends Context.Service<Backfilled, Effect.Success<typeof makeBackfilled>>()(
  "cardlake/test/Backfilled"
) {
  static readonly layer = builtOnce(Layer.effect(Backfilled, makeBackfilled))

  /** For a test that changes the home: it is as before once the scope closes. */
  static readonly changed = Effect.gen(function* () {
    const backfilled = yield* Backfilled
    const { root } = backfilled.home
    const kept = `${root} as it was`
    yield* Effect.acquireRelease(
      Effect.sync(() => cpSync(root, kept, { recursive: true })),
      () =>
        Effect.sync(() => {
          rmSync(root, { recursive: true })
          renameSync(kept, root)
        })
    )
    return backfilled
  })
}

/** A test of each of these questions to the lake with what a backfill brought. */
export const asksBackfilled = (it: Test<Backfilled>, answers: string): void => {
  for (const [name, sql, rows] of readCases(answers))
    it(name, function* () {
      const found = yield* valuesOf((yield* Backfilled).home, sql)
      assert.deepStrictEqual(
        found.map((row) => row.map(String).join(" ")),
        rows
      )
    })
}
