import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema, type Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { accountHandlers } from "./accountHandlers.ts"
import { answerRules } from "./answerRules.ts"
import { authorization } from "./authorization.ts"
import { makeByteCache } from "./ByteCache.ts"
import { catalogueHandlers } from "./catalogueHandlers.ts"
import { deployRoute } from "./deployRoute.ts"
import { makeFaultLedger, type InjectedFaults } from "./faults/FaultLedger.ts"
import type { FaultPlan } from "./faults/FaultPlan.ts"
import { faultsRoute } from "./faults/faultsRoute.ts"
import { faultyAnswers } from "./faults/faultyAnswers.ts"
import { checkFaultPlan, type FaultsInvalid } from "./faults/readFaultPlan.ts"
import { feedsHandlers } from "./feedsHandlers.ts"
import { LiveCatalogue } from "./LiveCatalogue.ts"
import { type LiveAtStart, makeLiveGame } from "./LiveGame.ts"
import { makeRateBucket, noLimit } from "./RateBucket.ts"
import { type CatalogueUnreadable, readCatalogue } from "./readCatalogue.ts"
import { storyGame } from "./story/storyGame.ts"
import { syntheticCatalogue } from "./syntheticCatalogue.ts"

export interface SandboxOptions {
  /** A catalogue folder, one as the days of a story show it, or a made-up one of so many products over `games` games (default 3). */
  readonly catalogue: string | { readonly story: string } | { readonly synthetic: number; readonly games?: number }
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** The accepted key; without it one is made. */
  readonly key?: string
  /** Scopes of the key, default `account:read`. Catalogue and feeds need none. */
  readonly scopes?: ReadonlyArray<string>
  /** Which deployment of every game is live at start, default `first`. */
  readonly live?: LiveAtStart
  /** Requests per minute, also the burst; default: as good as none. */
  readonly rateLimit?: number
  /** Bytes of finished pages to keep, default 256 MB. */
  readonly cacheBytes?: number
  /** What goes wrong, and when; `{}` only counts requests. Default: nothing, and nothing is counted. */
  readonly faults?: FaultPlan
}

/** A game of a running sandbox with its live deployment. */
export interface SandboxGame {
  readonly gameId: string
  readonly name: string
  /** Name of the live deployment, its place counted from 1, and how many there are. */
  readonly live: string
  readonly place: number
  readonly deployments: number
}

export interface Sandbox {
  /** `http://127.0.0.1:<port>`: the base address of the contract. */
  readonly url: string
  readonly key: string
  readonly games: Effect.Effect<ReadonlyArray<SandboxGame>>
  /** As `POST /sandbox/deploy`. Fails for an unknown game and when no deployment is left. */
  readonly deploy: (gameId: string) => Effect.Effect<Deployed, NothingToDeploy>
  /** The faults injected so far; none without `faults`. */
  readonly injected: Effect.Effect<InjectedFaults>
  /** How often each request (method, path, query, body) came; nothing without `faults`. */
  readonly requests: Effect.Effect<ReadonlyMap<string, number>>
}

export interface Deployed {
  readonly gameId: string
  readonly deploymentId: string
  readonly remaining: number
}

/** The game is unknown, or its newest deployment is live already. */
export class NothingToDeploy extends Schema.TaggedError<NothingToDeploy>()("NothingToDeploy", {
  gameId: Schema.String
}) {
  override get message() {
    return `${this.gameId} has nothing to deploy. List the games with: GET /v1/games`
  }
}

/** The port is taken or not allowed. */
export class PortUnavailable extends Schema.TaggedError<PortUnavailable>()("PortUnavailable", { port: Schema.Int }) {
  override get message() {
    return `Port ${this.port} of 127.0.0.1 cannot be opened. Choose another one: cardlake sandbox --port 0 takes a free one`
  }
}

const storedGames = Effect.fnUntraced(function* (catalogue: SandboxOptions["catalogue"]) {
  if (typeof catalogue === "string") return yield* readCatalogue(catalogue)
  if ("story" in catalogue) return (yield* readCatalogue(catalogue.story)).map(storyGame)
  return syntheticCatalogue(catalogue.synthetic, catalogue.games ?? 3)
})

const orderBytes = 64 * 1024 * 1024

/**
 * Serves the marketplace API from a catalogue on 127.0.0.1 until the scope closes, which also cuts open connections.
 * Fails with CatalogueUnreadable, FaultsInvalid or PortUnavailable.
 */
export const serveSandbox = Effect.fnUntraced(function* (
  options: SandboxOptions
): Effect.fn.Return<Sandbox, CatalogueUnreadable | FaultsInvalid | PortUnavailable, Scope.Scope> {
  const { port = 0, live = "first", scopes = ["account:read"], cacheBytes = 256 * 1024 * 1024 } = options
  const key = options.key ?? `cl_sandbox_${randomBytes(16).toString("hex")}`
  const plan = options.faults === undefined ? undefined : yield* checkFaultPlan("The fault plan", options.faults)
  const ledger = makeFaultLedger(plan ?? {})
  const stored = yield* storedGames(options.catalogue)
  const liveGames = yield* Effect.forEach(stored, (game) => makeLiveGame(game, live))
  const games = new Map(liveGames.map((game) => [game.stored.game.id, game]))
  const bucket = makeRateBucket(options.rateLimit ?? noLimit)

  const server = createServer({ keepAliveTimeout: 75_000 })
  const routes = Layer.mergeAll(
    HttpApiBuilder.layer(MarketplaceApi, { openapiPath: "/openapi.json" }),
    deployRoute,
    plan === undefined ? Layer.empty : faultsRoute(ledger)
  ).pipe(
    Layer.provide([catalogueHandlers, feedsHandlers, accountHandlers]),
    Layer.provide(authorization(key, scopes, bucket))
  )
  const catalogue = { games, pages: makeByteCache(cacheBytes), orders: makeByteCache(orderBytes) }
  const listening = HttpRouter.toHttpEffect(routes).pipe(
    Effect.map(answerRules(bucket)),
    Effect.map((app) => (plan === undefined ? app : faultyAnswers(ledger, games)(app))),
    Effect.flatMap((app) => HttpServer.serveEffect(app)),
    Effect.provideService(LiveCatalogue, catalogue),
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
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`,
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
    deploy: Effect.fnUntraced(function* (gameId: string) {
      const deployed = yield* games.get(gameId)?.deploy ?? Effect.undefined
      return deployed === undefined ? yield* new NothingToDeploy({ gameId }) : { gameId, ...deployed }
    }),
    injected: Effect.sync(ledger.injected),
    requests: Effect.sync(ledger.requests)
  }
})
