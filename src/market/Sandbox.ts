import { type Effect, Schema } from "effect"
import type { KnownDialect } from "../feed/contract/dialect/dialects.ts"
import type { Scope } from "../feed/contract/Authorization.ts"
import type { LiveAtStart } from "./catalogue/LiveGame.ts"
import type { StoredGame } from "./catalogue/StoredCatalogue.ts"
import type { InjectedFaults, TestPlan } from "./faults/Faults.ts"
import type { AccountsFile } from "./filling/AccountsFile.ts"
import type { Filling, FirstTraders } from "./filling/fillMarket.ts"
import type { AccountBuckets, RateWindow } from "./limits/AccountBuckets.ts"

type LivePrices = "live" | "frozen"

export interface SandboxOptions {
  /** Folder of a catalogue, a catalogue replayed as the days of a story, or the games themselves. */
  readonly catalogue: string | { readonly story: string } | { readonly games: ReadonlyArray<StoredGame> }
  /** True to serve the invalid records in each game's `odd.json`, which the contract must refuse. Default: false. */
  readonly odd?: boolean
  /** True to serve only games whose product and expansion ids are all below 2^31. Default: false. */
  readonly smallIds?: boolean
  /** Port to listen on. 0, the default, picks a free one. */
  readonly port?: number
  /** Accepted host names in addition to those of this machine, on any port. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Folder to persist accounts, stock and orders. Default: in memory. */
  readonly state?: string
  /** A key of the account `sandbox`. Default: a generated one. */
  readonly key?: string
  /** Scopes of the key, default `account:read`. Catalogue and feeds need none. */
  readonly scopes?: ReadonlyArray<Scope>
  /** Deployment that every game starts with, default `first`. */
  readonly live?: LiveAtStart
  /**
   * Requests per minute for each account, also its burst. Default: practically unlimited. The buckets of operations
   * scale with it: at 60 they are those of the contract.
   */
  readonly rateLimit?: number
  /** How buckets refill. Default `refill`: evenly. `sliding`: at most the limit in any 60 seconds. */
  readonly rateWindow?: RateWindow
  /** Dialect of the answers, default `spec`. `POST /sandbox/dialect` changes it. */
  readonly dialect?: KnownDialect
  /**
   * Source of live blocks. Default `live`: current listings, initially those in the live deployment's blocks. `frozen`:
   * the catalogue's text. A story is always frozen.
   */
  readonly livePrices?: LivePrices
  /** Seconds by which feed files lag a deployment, default 0. `POST /sandbox/feeds` changes it. */
  readonly feedLag?: number
  /** Initial accounts, stock and orders. A state that already has some is not changed. */
  readonly filling?: Filling
  /** Initial named accounts with their keys and stock. A state that already has some is not changed. */
  readonly accounts?: AccountsFile
  /** Faults to inject. `{}` only counts requests. Default: none. `PUT /sandbox/faults` changes the plan. */
  readonly faults?: TestPlan
}

/** A game of a running sandbox with its live deployment. */
interface SandboxGame {
  readonly gameId: string
  readonly name: string
  /** Name of the live deployment, its number from 1, and how many there are. */
  readonly live: string
  readonly place: number
  readonly deployments: number
}

export interface Sandbox {
  /** Base URL of the API: `http://127.0.0.1:<port>`, followed by `/v1` in a dialect of the live service. */
  readonly url: string
  /** Base URL of the control routes: `http://127.0.0.1:<port>` in every dialect. */
  readonly origin: string
  readonly key: string
  readonly games: Effect.Effect<ReadonlyArray<SandboxGame>>
  /** Number of live blocks in the deployments that were live at the start, and of those that contradict themselves. */
  readonly liveBlocks: Effect.Effect<{ readonly blocks: number; readonly contradicting: number }>
  /** The first seller and buyer of `filling` and `accounts`, if their keys are valid. */
  readonly traders: Effect.Effect<FirstTraders>
  /** Deploys like `POST /sandbox/deploy`. Fails if the game is unknown or has no further deployment. */
  readonly deploy: (gameId: string) => Effect.Effect<Deployed, NothingToDeploy>
  /** Changes the dialect like `POST /sandbox/dialect`, from the next request on. */
  readonly speak: (dialect: KnownDialect) => Effect.Effect<void>
  /** Rate-limit usage of each account, as in `GET /sandbox/limits`. */
  readonly limits: Effect.Effect<ReturnType<AccountBuckets["tallied"]>>
  /** The faults that the plan injected so far. */
  readonly injected: Effect.Effect<InjectedFaults>
  /** How often each request (method, path, query, body) arrived while the plan was on. */
  readonly requests: Effect.Effect<ReadonlyMap<string, number>>
}

interface Deployed {
  readonly gameId: string
  readonly deploymentId: string
  readonly remaining: number
}

/** The game is unknown, or its newest deployment is already live. */
export class NothingToDeploy extends Schema.TaggedError<NothingToDeploy>()("NothingToDeploy", {
  gameId: Schema.String
}) {
  override get message() {
    return `${this.gameId} has nothing to deploy. List the games with: GET /v1/games`
  }
}

/** The port is in use or not allowed. */
export class PortUnavailable extends Schema.TaggedError<PortUnavailable>()("PortUnavailable", { port: Schema.Int }) {
  override get message() {
    return `Port ${this.port} of 127.0.0.1 cannot be opened. Choose another one: cardlake sandbox --port 0 picks a free one`
  }
}
