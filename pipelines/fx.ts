import { Effect } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { runFx } from "../src/night/run/runFx.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { findBucket, inHome, writing } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { homeServices } from "./settings/services.ts"
import { ratesOfBank, readSetting } from "./settings/settingsProvider.ts"
import type * as specs from "./specs/reading.ts"

/** Loads exchange rates for views that compare currencies. */
export const fx = Effect.fnUntraced(function* ({ daily, json, ...flags }: typeof specs.fx.Input) {
  const settings = toSettings(flags)
  const source = flags.source ?? (yield* readSetting(settings, "CARDLAKE_FX"))
  if (source === null)
    return yield* wrongUsage(`Name a file or an address, or set CARDLAKE_FX to an address, such as ${ratesOfBank}`)
  const work = writing<Effect.Success<ReturnType<typeof runFx>>>([])
  const { currencies, from, isInLake, isNew, rates, to, ...loaded } = yield* inHome(
    settings,
    { work, services: homeServices },
    () => runFx(source, daily)
  ).pipe(Effect.scoped)
  const address = yield* findBucket(settings)
  const inCopies = `Copies get them with the next pull: cardlake pull --home ${shellWord(address ?? "")} --to DIR`
  const next =
    address !== null
      ? inCopies
      : isInLake
        ? 'Query them: cardlake query "from fx_daily"'
        : "There is no lake yet; the first night loads them: cardlake nightly"
  const before = isNew ? "" : "Already loaded today: "
  yield* printAnswer(
    json,
    { ...loaded, currencies, rates, from, to, ...(daily ? { isNew } : {}) },
    () =>
      `${before}${formatAmount(rates, "rate")} in ${formatAmount(currencies, "currency", "currencies")}, ${from} to ${to}, from ${loaded.source}. ${next}`
  )
})
