import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { textFlag, home, json, wholeNumberFlag, optionalText } from "./flags/sharedFlags.ts"
import { lakeOnly } from "./flags/inLake.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"

const product = Argument.Int("product").pipe(Argument.withDescription("A product's id, as cardlake search lists it"))
const game = optionalText("game", "GAME", "Where several games have the id")
const finish = optionalText("finish", "FINISH", "One finish, such as Foil; default: each")
const source = optionalText("source", "SOURCE", "sourceEur or sourceUsd; default: each")
const figure = (name: string, says: string) => textFlag(name, "FIGURE").pipe(Flag.withDescription(says), Flag.optional)
const below = figure("below", "Tell when the market value is less, in the source's currency")
const above = figure("above", "Tell when it is more")
const percent = figure("percent", "Tell when it moved so many percent, up or down")
const days = wholeNumberFlag("days", "N", { from: 1, to: 365 }).pipe(
  Flag.withDescription("In how many days it moved"),
  Flag.withDefault(7)
)

const figureFault = (named: Readonly<Record<string, Option.Option<string>>>): string | null => {
  for (const [name, value] of Object.entries(named)) {
    if (Option.isSome(value) && !/^\d{1,12}(\.\d{1,4})?$/.test(value.value))
      return `--${name} is a figure such as 20 or 19.99, not ${value.value}`
  }
  return null
}

const add = Command.make(
  "add",
  { product, game, finish, source, below, above, percent, days, home, json },
  Effect.fnUntraced(function* ({ above, below, days, finish, game, json, percent, product, source }) {
    const fault = figureFault({ below, above, percent })
    if (fault !== null) return yield* wrongUsage(fault)
    const from = Option.getOrNull(source)
    if (from !== null && from !== "sourceEur" && from !== "sourceUsd")
      return yield* wrongUsage(`--source is sourceEur or sourceUsd, not ${from}`)
    const { addWatch } = yield* Effect.promise(() => import("../src/desk/own/Watchlist.ts"))
    const { watchText } = yield* Effect.promise(() => import("./print/watchText.ts"))
    const added = yield* addWatch({
      productId: product,
      gameId: Option.getOrNull(game),
      finish: Option.getOrNull(finish),
      source: from,
      below: Option.getOrNull(below),
      above: Option.getOrNull(above),
      percent: Option.getOrNull(percent),
      days
    })
    yield* printAnswer(json, added, (one) => `Watched as number ${one.number}: ${watchText(one)}`)
  })
).pipe(
  Command.withDescription("Watch a product's price: every night and report tells when it reaches a bound"),
  Command.withExamples([
    { command: "cardlake watch add 10016 --below 0.50", description: "When it gets cheap" },
    { command: "cardlake watch add 10007 --finish Foil --percent 20 --days 30", description: "When it moves" }
  ]),
  Command.provide((flags) => lakeOnly(flags))
)

const list = Command.make(
  "list",
  { home, json },
  Effect.fnUntraced(function* ({ json }) {
    const { readWatchlist } = yield* Effect.promise(() => import("../src/desk/own/Watchlist.ts"))
    const { watchHits } = yield* Effect.promise(() => import("../src/desk/own/Watchlist.ts"))
    const { watchlistText } = yield* Effect.promise(() => import("./print/watchText.ts"))
    const { watched } = yield* readWatchlist
    const prices = yield* watchHits()
    yield* printAnswer(json, { watched, prices }, (found) => watchlistText(found.watched, found.prices))
  })
).pipe(
  Command.withDescription("List what is watched, with its prices now"),
  Command.provide((flags) => lakeOnly(flags))
)

const number = Argument.Int("number").pipe(Argument.withDescription("Its number in the list"))

const remove = Command.make(
  "remove",
  { number, home, json },
  Effect.fnUntraced(function* ({ json, number }) {
    const { removeWatch } = yield* Effect.promise(() => import("../src/desk/own/Watchlist.ts"))
    yield* printAnswer(json, yield* removeWatch(number), () => `Number ${number} is no longer watched`)
  })
).pipe(
  Command.withDescription("Watch something no longer"),
  Command.provide((flags) => lakeOnly(flags))
)

/** What the reader wants to be told of. */
export const watch = Command.make("watch").pipe(
  Command.withDescription("Prices that you want to be told of, each with its bounds"),
  Command.withSubcommands([add, list, remove]),
  Command.withExamples([
    { command: "cardlake watch add 10016 --below 0.50", description: "Tell when a price is less" },
    { command: "cardlake watch list", description: "What is watched, with its prices now" }
  ])
)
