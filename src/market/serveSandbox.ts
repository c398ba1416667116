import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "./contract/MarketplaceApi.ts"
import { authorization } from "./accounts/authorization.ts"
import { firstAccount, newSecret } from "./accounts/accounts.ts"
import { answerRules, declaredRoutes, guardHost, ownPages, plainQuery, typedBody } from "./answers/answerRules.ts"
import { makeByteCache } from "./answers/caches.ts"
import { LiveCatalogue } from "./catalogue/LiveCatalogue.ts"
import { makeLiveGame } from "./catalogue/LiveGame.ts"
import { CatalogueUnreadable, readCatalogue } from "./catalogue/readCatalogue.ts"
import { hasSmallIds, type StoredGame } from "./catalogue/StoredCatalogue.ts"
import { storyGame } from "./catalogue/storyGame.ts"
import { ControlApi, controls } from "./control/ControlApi.ts"
import { controlDescription, descriptionRoutes } from "./description/descriptionRoutes.ts"
import { roomRoutes } from "./room/roomRoutes.ts"
import { feedDownload, feedsHandlers, feedFileHandlers } from "./feeds/feedHandlers.ts"
import { Feeds, makeFeeds } from "./feeds/Feeds.ts"
import { Faults, makeFaults, plainPlan, type TestPlan } from "./faults/Faults.ts"
import { dialectControl } from "./control/dialectControl.ts"
import { limitControl } from "./control/requestControl.ts"
import { resetControl } from "./control/resetControl.ts"
import { faultyAnswers } from "./faults/faultyAnswers.ts"
import { checkFaultPlan } from "./faults/readFaultPlan.ts"
import { makeAccountBuckets } from "./limits/AccountBuckets.ts"
import { noLimit } from "./limits/RateBucket.ts"
import { type Beginning, fillMarket, firstTraders } from "./filling/fillMarket.ts"
import { fileRoute, filesLayer, makeSignedLinks } from "./files/Files.ts"
import { logRequests, makeRequestLog, RequestLog } from "./log/RequestLog.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { LiveOffers } from "./offers/LiveOffers.ts"
import { frozenPrices, livePrices } from "./offers/livePrices.ts"
import { accountHandlers } from "./accounts/accountHandlers.ts"
import { cartHandlers } from "./buying/cartHandlers.ts"
import { productListingHandlers } from "./buying/productListings.ts"
import { catalogueHandlers } from "./search/catalogueHandlers.ts"
import { deliverEvents } from "./events/emit.ts"
import { priceHandlers } from "./prices/priceHandlers.ts"
import { inventoryHandlers, listingHandlers } from "./inventory/inventoryHandlers.ts"
import { labelHandlers } from "./inventory/labels.ts"
import { jobHandlers } from "./jobs/jobHandlers.ts"
import { orderTimers } from "./orders/stepOrder.ts"
import { purchaseHandlers, saleHandlers } from "./orders/orderHandlers.ts"
import { listenHere } from "./listenHere.ts"
import { NothingToDeploy, type Sandbox, type SandboxOptions } from "./Sandbox.ts"
import { dialectDoor } from "./wording/dialectDoor.ts"
import { type CurrentDialect, wordings } from "./wording/Wording.ts"
import { makeRestarts } from "./restarts.ts"
import { dueLoop, machineMillis, MarketClock } from "./state/MarketClock.ts"
import { emptyState, sqlText } from "./state/openDatabase.ts"
import { State, stateLayer } from "./state/State.ts"

/** The tables of every room, each after the tables it refers to. A room adds its own file here. */
export const tables: ReadonlyArray<string> = [
  new URL("./state/state.sql", import.meta.url),
  new URL("./accounts/accounts.sql", import.meta.url),
  new URL("./events/events.sql", import.meta.url),
  new URL("./events/webhooks.sql", import.meta.url),
  new URL("./inventory/inventory.sql", import.meta.url),
  new URL("./offers/offers.sql", import.meta.url),
  new URL("./jobs/jobs.sql", import.meta.url),
  new URL("./buying/buying.sql", import.meta.url),
  new URL("./orders/orders.sql", import.meta.url)
].map(sqlText)

/** The handlers of the contract, by room. */
const handlers = Layer.mergeAll(
  catalogueHandlers,
  feedsHandlers,
  feedFileHandlers,
  priceHandlers,
  accountHandlers,
  inventoryHandlers,
  listingHandlers,
  labelHandlers,
  jobHandlers,
  productListingHandlers,
  cartHandlers,
  saleHandlers,
  purchaseHandlers
)

/** Background work, by room: order timers and event delivery. */
const works = Effect.all([orderTimers, deliverEvents], { discard: true })

const readGames = Effect.fnUntraced(function* ({ catalogue, odd = false }: SandboxOptions) {
  if (typeof catalogue === "string") return yield* readCatalogue(catalogue, odd)
  if ("story" in catalogue) return (yield* readCatalogue(catalogue.story, odd)).map(storyGame)
  return catalogue.games
})

const isSmallIn = (game: StoredGame) => (deployment: number) =>
  Effect.map(
    Effect.promise(() => game.open(deployment)),
    hasSmallIds
  )

/** Reads the games to serve: all, or those in which every deployment has small ids. */
const storedGames = Effect.fnUntraced(function* (options: SandboxOptions) {
  const games = yield* readGames(options)
  if (options.smallIds !== true) return games
  const small = yield* Effect.filter(games, (game) =>
    Effect.map(Effect.forEach(game.deployments.keys(), isSmallIn(game)), (each) => each.every(Boolean))
  )
  if (small.length > 0) return small
  const path = typeof options.catalogue === "string" ? options.catalogue : "of these products"
  return yield* new CatalogueUnreadable({ path, reason: "has no game whose ids are all below 2^31" })
})

/** Routes match ids of any length. The head of a request is limited to 16 kB anyway. */
const anyId = { maxParamLength: 16_384 }

const declared = [...declaredRoutes(MarketplaceApi), ...declaredRoutes(ControlApi)]

/** Bytes of rendered pages, and of search orders, to cache. */
const pageBytes = 256 * 1024 * 1024
const orderBytes = 64 * 1024 * 1024

/** The parts that survive a reset. */
interface Lasting {
  readonly key: string
  readonly plan: TestPlan | undefined
  readonly stored: ReadonlyArray<StoredGame>
}

/** The routes without a key. Control routes need none. */
const withoutKey = Layer.mergeAll(HttpApiBuilder.layer(ControlApi), roomRoutes, controlDescription)
const routes = Layer.mergeAll(
  HttpApiBuilder.layer(MarketplaceApi),
  descriptionRoutes,
  Layer.provide(withoutKey, ownPages),
  feedDownload,
  fileRoute
).pipe(Layer.provide([handlers, controls]))

/** Opens a market in its initial state: everything that a reset recreates. */
const openMarket = Effect.fnUntraced(function* (
  options: SandboxOptions,
  { key, plan, stored }: Lasting,
  reset: Effect.Effect<void>
) {
  const { catalogue, live = "first", scopes = ["account:read"] } = options
  const faults = makeFaults(plan)
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
  const spoken: CurrentDialect = { wording: wordings[options.dialect ?? "spec"] }
  const log = makeRequestLog(now)
  const served = { games, pages: makeByteCache(pageBytes), orders: makeByteCache(orderBytes) }
  const market = yield* Layer.build(
    Jobs.layer.pipe(
      Layer.provideMerge(Layer.succeedContext(Context.merge(state, selling.context))),
      Layer.provideMerge(Layer.succeed(LiveCatalogue, served))
    )
  )
  const beginning: Beginning = { filling: options.filling, named: options.accounts }
  yield* Effect.provideContext(
    Effect.all([firstAccount(key, scopes), fillMarket(beginning), works, dueLoop], { discard: true }),
    market
  )

  const feeds = makeFeeds(games, now, makeSignedLinks(store), Context.get(selling.context, LiveOffers), options.feedLag)
  const services = market.pipe(Context.add(Feeds, feeds), Context.add(Faults, faults), Context.add(RequestLog, log))
  const withRules = answerRules(buckets.limit, declared)
  const app = yield* HttpRouter.toHttpEffect(
    routes.pipe(
      Layer.provide([dialectControl(spoken), limitControl(buckets), resetControl(options.state, reset)]),
      Layer.provide(authorization(buckets))
    )
  ).pipe(
    Effect.map(plainQuery),
    Effect.map(typedBody),
    Effect.map(withRules),
    Effect.map(dialectDoor(spoken)),
    Effect.map(faultyAnswers(faults, games, spoken)),
    Effect.map(logRequests(log, machineMillis)),
    Effect.map(guardHost(options.allowedHosts ?? [], withRules)),
    Effect.map((app) => Effect.provideContext(app, services)),
    Effect.provideService(HttpRouter.RouterConfig, anyId),
    Effect.provideContext(services)
  )
  return { app, buckets, faults, games, liveBlocks: selling.counted, spoken, traders: firstTraders(store, beginning) }
})

/**
 * Serves the marketplace API from a catalogue on 127.0.0.1 until the scope closes, which also closes open connections.
 * Fails with AccountsInvalid, CatalogueUnreadable, FaultsInvalid, PortUnavailable or StateUnreadable.
 */
export const serveSandbox = Effect.fnUntraced(function* (options: SandboxOptions) {
  const { faults, port = 0 } = options
  if (faults !== undefined) yield* checkFaultPlan("The fault plan", plainPlan(faults))
  const lasting: Lasting = { key: options.key ?? newSecret(), plan: faults, stored: yield* storedGames(options) }
  const empty = options.state === undefined ? Effect.void : emptyState(options.state)
  const services = yield* Layer.build(NodeHttpServer.layerHttpServices)
  const { current, through } = yield* Effect.provideContext(
    makeRestarts((restart) => openMarket(options, lasting, restart(empty))),
    services
  )
  const origin = yield* listenHere(
    through(({ app }) => app),
    port
  )
  return {
    url: current().spoken.wording.words === null ? origin : `${origin}/v1`,
    origin,
    key: lasting.key,
    games: Effect.sync(() =>
      Array.from(current().games.values(), ({ stored: { game, deployments }, live }) => ({
        gameId: game.id,
        name: game.name,
        live: deployments[live()]?.name ?? "",
        place: live() + 1,
        deployments: deployments.length
      }))
    ),
    liveBlocks: Effect.suspend(() => current().liveBlocks),
    traders: Effect.sync(() => current().traders),
    deploy: Effect.fnUntraced(function* (gameId: string) {
      const deployed = yield* current().games.get(gameId)?.deploy ?? Effect.undefined
      return deployed === undefined ? yield* new NothingToDeploy({ gameId }) : { gameId, ...deployed }
    }),
    speak: (dialect) =>
      Effect.sync(() => {
        current().spoken.wording = wordings[dialect]
      }),
    limits: Effect.sync(() => current().buckets.tallied()),
    injected: Effect.sync(() => current().faults.ledger().injected()),
    requests: Effect.sync(() => current().faults.ledger().requests())
  } satisfies Sandbox
})
