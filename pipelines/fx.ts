import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { textArgument, home, json, settingsOf } from "./flags/sharedFlags.ts"
import { inLake } from "./flags/inLake.ts"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { printAnswer } from "./print/printAnswer.ts"

const source = textArgument("source").pipe(
  Argument.withDescription("CSV of the European Central Bank's euro reference rates: a file, or an http(s) address")
)

/** Loads exchange rates, for views that compare currencies. */
export const fx = Command.make(
  "fx",
  { source, home, json },
  Effect.fnUntraced(function* ({ json, source, ...flags }) {
    const { runFx } = yield* Effect.promise(() => import("../src/night/run/runFx.ts"))
    const { writing } = yield* Effect.promise(() => import("./flags/inLake.ts"))
    const { bucketOf } = yield* Effect.promise(() => import("./flags/inHome.ts"))
    const work = { ...writing<Effect.Success<ReturnType<typeof runFx>>>([]), isFirst: true as const }
    const { currencies, from, isInLake, rates, to, ...loaded } = yield* inLake(flags, work, () => runFx(source))
    const address = yield* bucketOf(settingsOf(flags))
    const inCopies = `Copies have them with their next pull: cardlake pull --home ${shellWord(address ?? "")} --to DIR`
    const next =
      address !== null
        ? inCopies
        : isInLake
          ? 'Ask: cardlake query "from fx_daily"'
          : "There is no lake yet; the first night takes them into it: cardlake nightly"
    yield* printAnswer(
      json,
      { ...loaded, currencies, rates, from, to },
      () =>
        `${amountOf(rates, "rate")} in ${amountOf(currencies, "currency", "currencies")}, ${from} to ${to}, from ${loaded.source}. ${next}`
    )
  })
).pipe(
  Command.withDescription("Load the European Central Bank's exchange rates; without them nothing is converted"),
  Command.withExamples([
    { command: "cardlake fx eurofxref-hist.csv", description: "All days since 1999, from the unzipped download" },
    { command: "cardlake fx https://example.com/rates.csv --json", description: "From an address, as JSON" }
  ])
)
