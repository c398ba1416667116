import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, type Scope } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createServer } from "node:http"
import { MarketplaceApi } from "./contract/MarketplaceApi.ts"
import { authorization } from "./accounts/authorization.ts"
import { firstAccount } from "./accounts/firstAccount.ts"
import { newSecret } from "./accounts/keys.ts"
import { answerRules } from "./answers/answerRules.ts"
import { guardHost, ownPages } from "./answers/guard.ts"
import { plainQuery } from "./answers/plainQuery.ts"
import { typedBody } from "./answers/typedBody.ts"
import { makeByteCache } from "./answers/ByteCache.ts"
import { LiveCatalogue } from "./catalogue/LiveCatalogue.ts"
import { makeLiveGame } from "./catalogue/LiveGame.ts"
import { type CatalogueUnreadable, readCatalogue } from "./catalogue/readCatalogue.ts"
import { storyGame } from "./catalogue/story/storyGame.ts"
import { syntheticCatalogue } from "./catalogue/synthetic/syntheticCatalogue.ts"
import { ControlApi } from "./control/ControlApi.ts"
import { controlDescription, descriptionRoutes } from "./description/descriptionRoutes.ts"
import { roomPage } from "./control/room/roomPage.ts"
import { feedDownload } from "./feeds/feedDownload.ts"
import { Feeds, makeFeeds } from "./feeds/Feeds.ts"
import { makeFaultLedger } from "./faults/FaultLedger.ts"
import { dialectControl } from "./control/dialectControl.ts"
import { limitControl } from "./control/limitControl.ts"
import { faultControl } from "./control/faultControl.ts"
import { faultyAnswers } from "./faults/faultyAnswers.ts"
import { checkFaultPlan, type FaultsInvalid } from "./faults/readFaultPlan.ts"
import { makeAccountBuckets } from "./limits/AccountBuckets.ts"
import { noLimit } from "./limits/RateBucket.ts"
import { fillMarket } from "./filling/fillMarket.ts"
import { fileRoute } from "./files/fileRoute.ts"
import { filesLayer } from "./files/Files.ts"
import { makeSignedLinks } from "./files/signedLinks.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { LiveOffers } from "./offers/LiveOffers.ts"
import { frozenPrices, livePrices } from "./offers/livePrices.ts"
import { controls, handlers, works } from "./handlers.ts"
import { NothingToDeploy, PortUnavailable, type Sandbox, type SandboxOptions } from "./Sandbox.ts"
import { dialectDoor } from "./wording/dialectDoor.ts"
import { type Spoken, wordings } from "./wording/Wording.ts"
import { dueLoop } from "./state/dueLoop.ts"
import { MarketClock } from "./state/MarketClock.ts"
import type { StateUnreadable } from "./state/openDatabase.ts"
import { State, stateLayer } from "./state/State.ts"
import { tables } from "./tables.ts"

const storedGames = Effect.fnUntraced(function* ({ catalogue, odd = false }: SandboxOptions) {
  if (typeof catalogue === "string") return yield* readCatalogue(catalogue, odd)
  if ("story" in catalogue) return (yield* readCatalogue(catalogue.story, odd)).map(storyGame)
  return syntheticCatalogue(catalogue.synthetic, catalogue.games ?? 3)
})

const orderBytes = 64 * 1024 * 1024

/**
 * Serves the marketplace API from a catalogue on 127.0.0.1 until the scope closes, which also cuts open connections.
 * Fails with CatalogueUnreadable, FaultsInvalid, PortUnavailable or StateUnreadable.
 */
export const serveSandbox = Effect.fnUntraced(function* (
  options: SandboxOptions
): Effect.fn.Return<Sandbox, CatalogueUnreadable | FaultsInvalid | PortUnavailable | StateUnreadable, Scope.Scope> {
  const { catalogue, port = 0, live = "first", scopes = ["account:read"], cacheBytes = 256 * 1024 * 1024 } = options
  const key = options.key ?? newSecret()
  const plan = options.faults === undefined ? undefined : yield* checkFaultPlan("The fault plan", options.faults)
  const ledger = makeFaultLedger(plan ?? {})
  const stored = yield* storedGames(options)
  const state = yield* Layer.build(
    Layer.mergeAll(filesLayer(options.state), FetchHttpClient.layer).pipe(
      Layer.provideMerge(stateLayer(options.state, tables))
    )
  )
  const { now } = Context.get(state, MarketClock)
  const { store } = Context.get(state, State)
  const isFrozen = options.livePrices === "frozen" || (typeof catalogue === "object" && "story" in catalogue)
  const selling = yield* Effect.provideContext(isFrozen ? frozenPrices(stored) : livePrices(stored, live), state)
  const liveGames = yield* Effect.forEach(selling.stored, (game) =>
    Effect.map(makeLiveGame(game, live, now), selling.deploying)
  )
  const games = new Map(liveGames.map((game) => [game.stored.game.id, game]))
  const buckets = makeAccountBuckets(options.rateLimit ?? noLimit, options.rateWindow ?? "refill", now)
  const spoken: Spoken = { wording: wordings[options.dialect ?? "spec"] }
  const served = { games, pages: makeByteCache(cacheBytes), orders: makeByteCache(orderBytes) }
  const market = yield* Layer.build(
    Jobs.layer.pipe(
      Layer.provideMerge(Layer.succeedContext(Context.merge(state, selling.context))),
      Layer.provideMerge(Layer.succeed(LiveCatalogue, served))
    )
  )
  const fill = options.filling === undefined ? Effect.void : fillMarket(options.filling)
  yield* Effect.provideContext(Effect.all([firstAccount(key, scopes), fill, works, dueLoop], { discard: true }), market)

  const server = createServer({ keepAliveTimeout: 75_000 })
  const withoutKey = Layer.mergeAll(HttpApiBuilder.layer(ControlApi), roomPage, controlDescription)
  const routes = Layer.mergeAll(
    HttpApiBuilder.layer(MarketplaceApi),
    descriptionRoutes,
    Layer.provide(withoutKey, ownPages),
    feedDownload,
    fileRoute
  ).pipe(
    Layer.provide([handlers, controls, faultControl(plan === undefined ? undefined : ledger)]),
    Layer.provide([dialectControl(spoken), limitControl(buckets)]),
    Layer.provide(authorization(buckets))
  )
  const withRules = answerRules(buckets.limit)
  const listening = HttpRouter.toHttpEffect(routes).pipe(
    Effect.map(plainQuery),
    Effect.map(typedBody),
    Effect.map(withRules),
    Effect.map(dialectDoor(spoken)),
    Effect.map((app) => (plan === undefined ? app : faultyAnswers(ledger, games, spoken)(app))),
    Effect.map(guardHost(options.allowedHosts ?? [], withRules)),
    Effect.flatMap((app) => HttpServer.serveEffect(app)),
    Effect.provideService(
      Feeds,
      makeFeeds(games, now, makeSignedLinks(store), Context.get(selling.context, LiveOffers), options.feedLag)
    ),
    Effect.provideContext(market),
    Layer.effectDiscard,
    Layer.provideMerge(NodeHttpServer.layer(() => server, { port, host: "127.0.0.1" }))
  )
  yield* Layer.build(listening).pipe(Effect.catchTag("ServeError", () => Effect.fail(new PortUnavailable({ port }))))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`
  return {
    url: spoken.wording.asked === null ? origin : `${origin}/v1`,
    origin,
    key,
    games: Effect.sync(() =>
      liveGames.map(({ stored: { game, deployments }, live }) => ({
        gameId: game.id,
        name: game.name,
        live: deployments[live()]?.name ?? "",
        place: live() + 1,
        deployments: deployments.length
      }))
    ),
    liveBlocks: selling.counted,
    deploy: Effect.fnUntraced(function* (gameId: string) {
      const deployed = yield* games.get(gameId)?.deploy ?? Effect.undefined
      return deployed === undefined ? yield* new NothingToDeploy({ gameId }) : { gameId, ...deployed }
    }),
    speak: (dialect) =>
      Effect.sync(() => {
        spoken.wording = wordings[dialect]
      }),
    limits: Effect.sync(buckets.tallied),
    injected: Effect.sync(ledger.injected),
    requests: Effect.sync(ledger.requests)
  }
})
