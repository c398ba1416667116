import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { vi } from "vitest"
import { Effect, Layer } from "effect"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices } from "../../pipelines/settings/services.ts"
import { catalogueFolder, card, expansion, gameId } from "../store/lake/invented.ts"
import { lakeRows } from "../store/lake/tableRows.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { startProxy } from "../pipelines/proxy.ts"
import { live } from "../support/suite.ts"

vi.setConfig({ testTimeout: 60_000 })

/** The character that ends a text in C. */
const nul = "\0"

const priced = (day: number) =>
  card(1, {
    name: `Ow${nul}l ${day}`,
    nameSlug: `ow${nul}l`,
    externalIds: { mtgId: `m${nul}1` },
    finishes: [`Fo${nul}il`],
    pricesByFinish: { [`Fo${nul}il`]: { sourceEur: { currency: "EUR", low: day, marketValue: day } } },
    attributes: { [`ke${nul}y`]: `val${nul}ue` },
    [`un${nul}known`]: nul
  })

live("a NUL character stays where it is, in ids of deployments too, night after night", function* () {
  const catalogue = yield* catalogueFolder({
    [gameId]: [1, 2].map((day) => ({ products: [priced(day)], expansions: [expansion(1, { name: `Ma${nul}rsh` })] }))
  })
  const { sandbox, settings } = yield* marketplaceAndHome({ catalogue })
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startProxy(sandbox.url, ({ answer }) =>
        answer.replaceAll('"dep_', '"de\\u0000p_').replaceAll('"Game ', '"Ga\\u0000me ')
      )
    ),
    ({ stop }) => Effect.sync(stop)
  )
  const services = yield* Layer.build(
    allServices({ ...settings, CARDLAKE_URL: proxy.url }).pipe(Layer.provideMerge(NodeServices.layer))
  )
  const night = Effect.provideContext(
    runNight([], () => {}),
    services
  )
  assert.strictEqual((yield* night).verdict, "published")
  assert.strictEqual((yield* night).verdict, "unchanged")
  yield* sandbox.deploy(gameId)
  const { games, verdict } = yield* night
  assert.strictEqual(verdict, "published", games[0]?.reason ?? "")
  assert.deepStrictEqual(
    [games[0]?.changes?.products.modifiedCatalogue, games[0]?.refused, games[0]?.reconciliation?.unexplained],
    [1, 0, 0]
  )
  assert.match(games[0]?.deploymentId ?? "", /^de\0p_[0-9a-f]{16}$/)

  const said = yield* Effect.provideContext(
    lakeRows(`
        select p.name, p.name_slug, p.attributes, p.extra, e.name as expansion, x.external_id, s.finish, g.name as game,
          (select list(deployment_id order by sequence) from deployments) as deployments,
          (select list(deployment_id order by place) from nights) as nights,
          (select list(distinct deployment_id) from runs) as runs
        from products p join expansions e using (game_id) join external_ids x using (game_id) join source_prices s using (game_id)
        join games g using (game_id)`),
    services
  )
  const [row = {}] = said
  const { deployments, nights, runs, ...texts } = row
  assert.deepStrictEqual(texts, {
    name: `Ow${nul}l 2`,
    name_slug: `ow${nul}l`,
    attributes: String.raw`{"ke\u0000y":"val\u0000ue"}`,
    extra: String.raw`{"un\u0000known":"\u0000"}`,
    expansion: `Ma${nul}rsh`,
    external_id: `m${nul}1`,
    finish: `Fo${nul}il`,
    game: `Ga${nul}me hollowmere`
  })
  assert.lengthOf(deployments as ReadonlyArray<string>, 2)
  assert.deepStrictEqual(nights, deployments)
  assert.sameMembers([...(runs as ReadonlyArray<string>)], [...(deployments as ReadonlyArray<string>)])
})
