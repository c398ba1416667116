import { type Effect, Schema } from "effect"
import type { KnownDialect } from "../feed/contract/dialect/dialects.ts"
import type { Scope } from "../feed/contract/Authorization.ts"
import type { LiveAtStart } from "./catalogue/LiveGame.ts"
import type { InjectedFaults } from "./faults/Faults.ts"
import type { FaultPlan } from "./faults/FaultPlan.ts"
import type { AccountsFile } from "./filling/AccountsFile.ts"
import type { Filling, FirstTraders } from "./filling/fillMarket.ts"
import type { AccountBuckets, RateWindow } from "./limits/AccountBuckets.ts"

type LivePrices = "live" | "frozen"

export interface SandboxOptions {
  /**
   * A catalogue folder, one as the days of a story show it, or a
   * made-up one with this many products in `games` games (default 3).
   */
  readonly catalogue: string | { readonly story: string } | { readonly synthetic: number; readonly games?: number }
  /** Serves what `odd.json` of each game spoils: records that the contract must refuse. Default: none. */
  readonly odd?: boolean
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** Names that it answers to beside this machine's own, on whatever port. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Where accounts, stock and orders are kept; without it they are gone when the sandbox stops. */
  readonly state?: string
  /** A key of the account `sandbox`; without it one is made. */
  readonly key?: string
  /** Scopes of the key, default `account:read`. Catalogue and feeds need none. */
  readonly scopes?: ReadonlyArray<Scope>
  /** Which deployment of every game is live at start, default `first`. */
  readonly live?: LiveAtStart
  /**
   * Requests per minute for each account, also its burst; default: practically no limit. The
   * buckets of operations scale with it: at 60 they are those of the contract.
   */
  readonly rateLimit?: number
  /** How the buckets fill again: default `refill`, evenly; `sliding` lets through no more in any 60 seconds. */
  readonly rateWindow?: RateWindow
  /** In which words and manner it answers, default `spec`; `POST /sandbox/dialect` changes it. */
  readonly dialect?: KnownDialect
  /**
   * Where live blocks come from: default `live`, the listings that are there, of which the live deployment's blocks
   * tell the first ones; `frozen`, the catalogue's text. A story's are always frozen.
   */
  readonly livePrices?: LivePrices
  /** Seconds that feed files stay behind a deployment, default 0; `POST /sandbox/feeds` changes it. */
  readonly feedLag?: number
  /** Initial accounts, stock and orders; a state that already has some stays as it is. */
  readonly filling?: Filling
  /** Named accounts to begin with, their keys and stock; a state that already has some stays as it is. */
  readonly accounts?: AccountsFile
  /** Bytes of finished pages to keep, default 256 MB. */
  readonly cacheBytes?: number
  /** What goes wrong, and when; `{}` only counts requests. Default: nothing; `PUT /sandbox/faults` changes it. */
  readonly faults?: FaultPlan
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
  /** The base address of the API: `http://127.0.0.1:<port>`, in a dialect of the live service with `/v1` behind it. */
  readonly url: string
  /** `http://127.0.0.1:<port>` in every dialect, for the control routes. */
  readonly origin: string
  readonly key: string
  readonly games: Effect.Effect<ReadonlyArray<SandboxGame>>
  /** Live blocks of the deployments that were live at the start, and how many of them contradict themselves. */
  readonly liveBlocks: Effect.Effect<{ readonly blocks: number; readonly contradicting: number }>
  /** The first seller and buyer of `filling` and `accounts`, if their keys are valid. */
  readonly traders: Effect.Effect<FirstTraders>
  /** As `POST /sandbox/deploy`. Fails for an unknown game, or if no deployment is left. */
  readonly deploy: (gameId: string) => Effect.Effect<Deployed, NothingToDeploy>
  /** As `POST /sandbox/dialect`: from the next request on. */
  readonly speak: (dialect: KnownDialect) => Effect.Effect<void>
  /** As `GET /sandbox/limits`: how each account used its limits. */
  readonly limits: Effect.Effect<ReturnType<AccountBuckets["tallied"]>>
  /** The faults that the plan injected so far. */
  readonly injected: Effect.Effect<InjectedFaults>
  /** How often each request (method, path, query, body) came while the plan was on. */
  readonly requests: Effect.Effect<ReadonlyMap<string, number>>
}

interface Deployed {
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
    return `Port ${this.port} of 127.0.0.1 cannot be opened. Choose another one: cardlake sandbox --port 0 picks a free one`
  }
}
