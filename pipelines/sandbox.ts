import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { allowHost, textFlag, portFlag, wholeNumberFlag, optionalText, switchFlag } from "./flags/sharedFlags.ts"
import { fileURLToPath } from "node:url"
import { dialectNames } from "../src/feed/contract/dialect/dialects.ts"
import type { Filling } from "../src/market/filling/fillMarket.ts"
import { from, fromFault } from "./flags/fromFlag.ts"
import { recordFault } from "./flags/recordFault.ts"
import { printAnswer, printAsIs, printJson, wrongUsage } from "./print/printAnswer.ts"
import { sandboxWelcome } from "./print/sandboxWelcome.ts"

const sample = fileURLToPath(new URL("../data/sample", import.meta.url))

const catalogue = textFlag("catalogue", "DIR").pipe(
  Flag.withDescription("Catalogue folder with games.json; default: the sample catalogue"),
  Flag.withDefault(sample)
)
const odd = switchFlag("odd", "Serve the records that the contract must refuse, too: what odd.json of each game says")
const port = portFlag("port").pipe(
  Flag.withDescription("Port on 127.0.0.1; 0, the default, picks a free one"),
  Flag.withDefault(0)
)
const key = optionalText("key", "KEY", "The API key to accept; default: one is generated and printed")
const state = optionalText(
  "state",
  "DIR",
  "Folder that keeps accounts, stock and orders; default: they are gone when the sandbox stops"
)
const live = Flag.Literals("live", ["first", "last"]).pipe(
  Flag.withDescription("Which deployment of every game is live at start"),
  Flag.withDefault("first")
)
const rate = wholeNumberFlag("rate", "N", { from: 1, to: 1_000_000 }).pipe(
  Flag.withDescription(
    "Requests per minute for each account, also its burst; at 60 the hourly limits are the service's own; default: no limit"
  ),
  Flag.optional
)
const rateWindow = Flag.Literals("rate-window", ["refill", "sliding"]).pipe(
  Flag.withDescription("How --rate fills again: evenly, or no more than N in any 60 seconds"),
  Flag.withDefault("refill")
)
const dialect = Flag.Literals("dialect", dialectNames).pipe(
  Flag.withDescription(
    "Answer in the words of the specification, or as the live service does; POST /sandbox/dialect switches"
  ),
  Flag.withDefault("spec")
)
const livePrices = Flag.Literals("live-prices", ["live", "frozen"]).pipe(
  Flag.withDescription("Count live prices from the listings that are there, or serve the catalogue's text as it is"),
  Flag.withDefault("live")
)
const feedLag = wholeNumberFlag("feed-lag", "SECONDS", { from: 0, to: 1_000_000_000 }).pipe(
  Flag.withDescription("How long the feed files stay behind a deployment; POST /sandbox/feeds changes it"),
  Flag.withDefault(0)
)
const synthetic = wholeNumberFlag("synthetic", "N", { from: 1, to: 20_000_000 }).pipe(
  Flag.withDescription("Serve this many made-up products instead of a folder, for benchmarks"),
  Flag.optional
)
const syntheticGames = wholeNumberFlag("synthetic-games", "N", { from: 1, to: 3 }).pipe(
  Flag.withDescription("Games to spread the made-up products over, 1 to 3"),
  Flag.withDefault(3)
)
const faults = optionalText(
  "faults",
  "FILE",
  "JSON file that says what goes wrong and when; GET /sandbox/faults counts it"
)
const seed = wholeNumberFlag("seed", "N", { from: 0, to: 1_000_000_000 }).pipe(
  Flag.withDescription("Seed of accounts, stock and orders: the same seed makes the same ones, but for the times"),
  Flag.withDefault(1)
)
const accounts = wholeNumberFlag("accounts", "N", { from: 2, to: 1000 }).pipe(
  Flag.withDescription("Begin with this many accounts, half of them sellers with stock; default: 6"),
  Flag.optional
)
const orders = wholeNumberFlag("orders", "N", { from: 1, to: 100_000 }).pipe(
  Flag.withDescription(
    "Let these accounts place this many orders, in every state, over 90 days; default: 48; without --accounts, there are 20"
  ),
  Flag.optional
)
const accountsFile = optionalText(
  "accounts-file",
  "FILE",
  "JSON file with the accounts to begin with: their names, keys and stock; then none are drawn"
)
const empty = switchFlag("empty", "Begin with the account of the key alone: no seller, no buyer, no orders")
const record = optionalText(
  "record",
  "DIR",
  "Write a request and answer of every operation and a signed sample of each event, and end"
)
const json = switchFlag("json", "Print one object {url, key, seller, buyer, listingId} once it is listening")

const someAccounts = 20
const firstHour = { accounts: 6, orders: 48 }

/** What is drawn to begin with; undefined: nothing, because the accounts are named, or none are wanted. */
const fillingOf = (flags: {
  readonly accounts: Option.Option<number>
  readonly orders: Option.Option<number>
  readonly accountsFile: Option.Option<string>
  readonly empty: boolean
  readonly seed: number
}): Filling | undefined => {
  const { accounts, accountsFile, empty, orders, seed } = flags
  if (Option.isSome(accounts) || Option.isSome(orders)) {
    return {
      seed,
      accounts: Option.getOrElse(accounts, () => someAccounts),
      orders: Option.getOrElse(orders, () => 0)
    }
  }
  return empty || Option.isSome(accountsFile) ? undefined : { seed, ...firstHour }
}

/** Serves the marketplace API on this machine until it is told to stop. */
export const sandbox = Command.make(
  "sandbox",
  {
    catalogue,
    odd,
    state,
    port,
    allowHost,
    key,
    live,
    rate,
    rateWindow,
    dialect,
    livePrices,
    feedLag,
    synthetic,
    syntheticGames,
    faults,
    seed,
    accounts,
    orders,
    accountsFile,
    empty,
    record,
    from,
    json
  },
  Effect.fnUntraced(function* (flags) {
    const { catalogue, dialect, state, port, key, live, rate, rateWindow, synthetic, syntheticGames, faults, json } =
      flags
    const asked = { ...flags, isSample: catalogue === sample }
    const fault = recordFault(asked) ?? fromFault(asked)
    if (fault !== null) {
      return yield* wrongUsage(fault)
    }
    if (Option.isSome(flags.from)) {
      const { serveFrom } = yield* Effect.promise(() => import("./lake/serveFrom.ts"))
      const served = { file: flags.from.value, port, key: Option.getOrUndefined(key), json }
      return yield* serveFrom({ ...served, allowedHosts: flags.allowHost })
    }
    // Loaded here, so that no other command waits for the HTTP server.
    const { serveSandbox } = yield* Effect.promise(() => import("../src/market/serveSandbox.ts"))
    if (Option.isSome(flags.record)) {
      const { readerKey, recordFixtures } = yield* Effect.promise(
        () => import("../src/market/recording/recordFixtures.ts")
      )
      const { origin } = yield* serveSandbox({ catalogue, dialect, port, key: readerKey, faults: {} })
      const recorded = yield* recordFixtures(origin, flags.record.value, dialect)
      return yield* printAnswer(json, recorded, ({ errors, folder, operations, webhooks }) =>
        [`${operations} operations, ${errors} errors and ${webhooks} events are in ${folder}`].join("")
      )
    }
    const { readFaultPlan } = yield* Effect.promise(() => import("../src/market/faults/readFaultPlan.ts"))
    const { readAccountsFile } = yield* Effect.promise(() => import("../src/market/filling/AccountsFile.ts"))
    const plan = Option.isSome(faults) ? yield* readFaultPlan(faults.value) : undefined
    const named = Option.isSome(flags.accountsFile) ? yield* readAccountsFile(flags.accountsFile.value) : undefined
    const fills = fillingOf(flags)
    const served = yield* serveSandbox({
      catalogue: Option.match(synthetic, {
        onNone: () => catalogue,
        onSome: (products) => ({ synthetic: products, games: syntheticGames })
      }),
      odd: flags.odd,
      port,
      live,
      rateWindow,
      dialect,
      livePrices: flags.livePrices,
      feedLag: flags.feedLag,
      allowedHosts: flags.allowHost,
      ...(Option.isSome(state) ? { state: state.value } : {}),
      ...(Option.isSome(key) ? { key: key.value } : {}),
      ...(Option.isSome(rate) ? { rateLimit: rate.value } : {}),
      ...(fills === undefined ? {} : { filling: fills }),
      ...(named === undefined ? {} : { accounts: named }),
      ...(plan === undefined ? {} : { faults: plan })
    })
    const isMeant = fills !== undefined || named !== undefined
    if (json) yield* printJson({ url: served.url, key: served.key, ...(yield* served.traders) })
    else yield* printAsIs(yield* sandboxWelcome(served, { dialect, isMeant }))
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve the marketplace API locally from a catalogue folder; its /openapi.json describes every operation"
  ),
  Command.withExamples([
    { command: "cardlake sandbox", description: "Serve the sample catalogue on a free port" },
    {
      command: "cardlake sandbox --catalogue data/sample --port 4600 --key secret --live last",
      description: "Serve a folder with its newest deployments live"
    },
    { command: "cardlake sandbox --state market", description: "Keep accounts, stock and orders in a folder" },
    { command: "cardlake sandbox --synthetic 1000000 --json", description: "Serve a million made-up products" },
    {
      command: "cardlake sandbox --accounts 20 --orders 500 --seed 7",
      description: "Begin with more sellers, stock, buyers and orders"
    },
    { command: "cardlake sandbox --accounts-file accounts.json", description: "Begin with accounts of your own" },
    { command: "cardlake sandbox --record fixtures", description: "Write what every operation answers, and end" },
    { command: "cardlake sandbox --from capture.json", description: "Serve what a marketplace answered" },
    { command: "cardlake sandbox --odd", description: "Serve four records that the contract must refuse, too" },
    {
      command: "cardlake sandbox --live-prices frozen",
      description: "Serve every live price as the folder has it, whatever is sold"
    },
    { command: "cardlake sandbox --rate 60", description: "Answer 429 beyond 60 requests a minute" },
    {
      command: "cardlake sandbox --dialect live --rate 60 --rate-window sliding",
      description: "Answer in the live service's words, at its limit"
    },
    { command: "cardlake sandbox --faults faults.json", description: "Make things go wrong as the file says" }
  ])
)
