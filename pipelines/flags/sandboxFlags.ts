import { fileURLToPath } from "node:url"
import * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { dialectNames } from "../../src/feed/contract/dialect/dialects.ts"
import type { Filling } from "../../src/market/filling/fillMarket.ts"
import { allowHost, optionalText, portFlag, switchFlag, textFlag, wholeNumberFlag } from "./sharedFlags.ts"

const sample = fileURLToPath(new URL("../../data/sample", import.meta.url))

/** What `cardlake sandbox` takes. */
export const sandboxFlags = {
  catalogue: textFlag("catalogue", "DIR").pipe(
    Flag.withDescription("Catalogue folder with games.json; default: the sample catalogue"),
    Flag.withDefault(sample)
  ),
  odd: switchFlag("odd", "Serve the records that the contract must refuse, too: what odd.json of each game says"),
  state: optionalText(
    "state",
    "DIR",
    "Folder that keeps accounts, stock and orders; default: they are gone when the sandbox stops"
  ),
  port: portFlag("port").pipe(
    Flag.withDescription("Port on 127.0.0.1; 0, the default, picks a free one"),
    Flag.withDefault(0)
  ),
  allowHost,
  key: optionalText("key", "KEY", "The API key to accept; default: one is generated and printed"),
  live: Flag.Literals("live", ["first", "last"]).pipe(
    Flag.withDescription("Which deployment of every game is live at start"),
    Flag.withDefault("first")
  ),
  rate: wholeNumberFlag("rate", "N", { from: 1, to: 1_000_000 }).pipe(
    Flag.withDescription(
      "Requests per minute for each account, also its burst; at 60 the hourly limits are the service's own; default: no limit"
    ),
    Flag.optional
  ),
  rateWindow: Flag.Literals("rate-window", ["refill", "sliding"]).pipe(
    Flag.withDescription("How --rate fills again: evenly, or no more than N in any 60 seconds"),
    Flag.withDefault("refill")
  ),
  dialect: Flag.Literals("dialect", dialectNames).pipe(
    Flag.withDescription(
      "Answer in the words of the specification, or as the live service does; POST /sandbox/dialect switches"
    ),
    Flag.withDefault("spec")
  ),
  livePrices: Flag.Literals("live-prices", ["live", "frozen"]).pipe(
    Flag.withDescription("Count live prices from the listings that are there, or serve the catalogue's text as it is"),
    Flag.withDefault("live")
  ),
  feedLag: wholeNumberFlag("feed-lag", "SECONDS", { from: 0, to: 1_000_000_000 }).pipe(
    Flag.withDescription("How long the feed files stay behind a deployment; POST /sandbox/feeds changes it"),
    Flag.withDefault(0)
  ),
  synthetic: wholeNumberFlag("synthetic", "N", { from: 1, to: 20_000_000 }).pipe(
    Flag.withDescription("Serve this many made-up products instead of a folder, for benchmarks"),
    Flag.optional
  ),
  syntheticGames: wholeNumberFlag("synthetic-games", "N", { from: 1, to: 3 }).pipe(
    Flag.withDescription("Games to spread the made-up products over, 1 to 3"),
    Flag.withDefault(3)
  ),
  faults: optionalText("faults", "FILE", "JSON file that says what goes wrong and when; GET /sandbox/faults counts it"),
  seed: wholeNumberFlag("seed", "N", { from: 0, to: 1_000_000_000 }).pipe(
    Flag.withDescription("Seed of accounts, stock and orders: the same seed makes the same ones, but for the times"),
    Flag.withDefault(1)
  ),
  accounts: wholeNumberFlag("accounts", "N", { from: 2, to: 1000 }).pipe(
    Flag.withDescription("Begin with this many accounts, half of them sellers with stock; default: 6"),
    Flag.optional
  ),
  orders: wholeNumberFlag("orders", "N", { from: 1, to: 100_000 }).pipe(
    Flag.withDescription(
      "Let these accounts place this many orders, in every state, over 90 days; default: 48; without --accounts, there are 20"
    ),
    Flag.optional
  ),
  accountsFile: optionalText(
    "accounts-file",
    "FILE",
    "JSON file with the accounts to begin with: their names, keys and stock; then none are drawn"
  ),
  empty: switchFlag("empty", "Begin with the account of the key alone: no seller, no buyer, no orders"),
  record: optionalText(
    "record",
    "DIR",
    "Write a request and answer of every operation and a signed sample of each event, and end"
  ),
  from: optionalText("from", "FILE", "Serve what a marketplace answered to doctor --capture, and nothing else"),
  json: switchFlag("json", "Print one object {url, key, seller, buyer, listingId} once it is listening")
}

/** The flags of the sandbox as they were given. */
type Asked = Command.Command.Config.Infer<typeof sandboxFlags>

/** The names of those flags that were given. */
const given = (flags: Readonly<Record<string, Option.Option<unknown> | boolean>>): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([name, flag]) =>
    (typeof flag === "boolean" ? flag : Option.isSome(flag)) ? [name] : []
  )

/** Why other flags do not go together with `--record` or `--empty`; null: they do. */
const recordFault = (asked: Asked): string | null => {
  const { accounts, accountsFile, catalogue, empty, faults, key, odd, orders, rate, record, state, synthetic } = asked
  const begins = { "--accounts": accounts, "--orders": orders, "--accounts-file": accountsFile }
  const [first] = given(begins)
  if (empty && first !== undefined) return `--empty and ${first} say opposite things. Leave out one of them`
  if (Option.isNone(record)) return null
  const unread = given({
    ...begins,
    "--state": state,
    "--key": key,
    "--faults": faults,
    "--rate": rate,
    "--synthetic": synthetic,
    "--empty": empty,
    "--odd": odd,
    "--catalogue": catalogue !== sample
  })
  return unread.length === 0
    ? null
    : `--record is of the sample, with accounts of its own. Leave out ${unread.join(", ")}`
}

/** Why other flags do not go together with `--from`, which serves nothing else; null: they do. */
const fromFault = (asked: Asked): string | null => {
  if (Option.isNone(asked.from)) return null
  const unread = given({
    "--catalogue": asked.catalogue !== sample,
    "--odd": asked.odd,
    "--synthetic": asked.synthetic,
    "--state": asked.state,
    "--live": asked.live !== "first",
    "--rate": asked.rate,
    "--dialect": asked.dialect !== "spec",
    "--faults": asked.faults,
    "--accounts": asked.accounts,
    "--orders": asked.orders,
    "--accounts-file": asked.accountsFile,
    "--empty": asked.empty,
    "--record": asked.record
  })
  return unread.length === 0
    ? null
    : `--from serves what was captured, in its own words and at its own limits. Leave out ${unread.join(", ")}`
}

/** Why what was asked of `cardlake sandbox` does not go together, with the next step; null: it does. */
export const sandboxFault = (asked: Asked): string | null => recordFault(asked) ?? fromFault(asked)

const someAccounts = 20
const firstHour = { accounts: 6, orders: 48 }

/** What is drawn to begin with; undefined: nothing, because the accounts are named, or none are wanted. */
export const fillingOf = (flags: Asked): Filling | undefined => {
  const { accounts, accountsFile, empty, orders, seed } = flags
  if (Option.isSome(accounts) || Option.isSome(orders)) {
    return { seed, accounts: Option.getOrElse(accounts, () => someAccounts), orders: Option.getOrElse(orders, () => 0) }
  }
  return empty || Option.isSome(accountsFile) ? undefined : { seed, ...firstHour }
}
