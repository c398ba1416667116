import { Effect } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { runFx } from "../src/night/run/runFx.ts"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { findBucket, inLake, writing } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printAnswer } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"
import type { Input } from "./specs/spec.ts"

/** Loads exchange rates for views that compare currencies. */
export const fx = Effect.fnUntraced(function* ({ json, source, ...flags }: Input<typeof specs.fx>) {
  const work = { ...writing<Effect.Success<ReturnType<typeof runFx>>>([]), isFirst: true as const }
  const { currencies, from, isInLake, rates, to, ...loaded } = yield* inLake(flags, work, () => runFx(source))
  const address = yield* findBucket(toSettings(flags))
  const inCopies = `Copies get them with the next pull: cardlake pull --home ${shellWord(address ?? "")} --to DIR`
  const next =
    address !== null
      ? inCopies
      : isInLake
        ? 'Query them: cardlake query "from fx_daily"'
        : "There is no lake yet; the first night loads them: cardlake nightly"
  yield* printAnswer(
    json,
    { ...loaded, currencies, rates, from, to },
    () =>
      `${amountOf(rates, "rate")} in ${amountOf(currencies, "currency", "currencies")}, ${from} to ${to}, from ${loaded.source}. ${next}`
  )
})
