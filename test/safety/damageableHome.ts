import { newFolder } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { chmodSync, cpSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { checkHome, runRepair } from "../../src/night/run/repair/runRepair.ts"
import { runFx } from "../../src/night/run/runFx.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder, card, expansion } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import { filesBelow, root } from "../pipelines/cli.ts"
import { tinyHome } from "./tinyNights.ts"

/** The first game is deployed every night, the second one twice. */
export const games = ["hollowmere", "tarnwick"] as const

/** The first path of the home that matches. */
export const pathOf = (files: ReadonlyMap<string, Buffer>, isWanted: RegExp): string => {
  const path = [...files.keys()].find((path) => isWanted.test(path))
  assert.isDefined(path, String(isWanted))
  return path
}

const priced = (id: number, low: number) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low, marketValue: low + 1 } } } })
const day = (gameId: string, nth: number, cards = 12) => ({
  expansions: [{ ...expansion(1), gameId }],
  products: Array.from({ length: 12 }, (_, index) => {
    const id = nth + index + 1
    return { ...(index < cards ? priced(id, 1 + ((nth * 7 + index) % 13)) : card(id)), gameId }
  })
})
// On the fourth day most prices of the first game are gone: it is held.
const catalogue = {
  [games[0]]: [0, 1, 2, 3, 4].map((nth) => day(games[0], nth, nth === 3 ? 4 : 12)),
  [games[1]]: [0, 1, 2].map((nth) => day(games[1], nth))
}

const rates = join(root, "data/sample/eurofxref.csv")
const at = (day: string) => showing(Date.parse(`2026-${day}T03:00:00Z`))

/**
 * A home with everything: two games, a compacted month, pruned and held nights, nights without
 * news, rates. `night` is the next one, with news of the first game; `startOver` resets the home.
 */
const make = Effect.gen(function* () {
  const served = yield* catalogueFolder(catalogue)
  const sandbox = yield* serveSandbox({ catalogue: served })
  const folder = yield* newFolder
  // An ordinary user gets at the home and at what the sandbox serves.
  for (const open of [folder, served]) chmodSync(open, 0o755)
  const path = join(folder, "home")
  const home = yield* tinyHome(path, sandbox.url, sandbox.key)
  const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideContext(effect, home.services)
  const deploy = (...ids: ReadonlyArray<string>) => Effect.forEach(ids, (gameId) => sandbox.deploy(gameId))

  yield* home.night.pipe(at("05-10"))
  yield* home.night.pipe(at("05-11"))
  yield* deploy(...games)
  yield* home.night.pipe(at("05-20"))
  yield* deploy(...games)
  yield* home.night.pipe(at("06-02"))
  yield* deploy(games[0])
  const held = yield* home.night.pipe(at("06-03"))
  yield* provided(runPrune({ days: null, last: 2, monthly: false }, false)).pipe(at("06-04"))
  yield* provided(runFx(rates)).pipe(at("06-04"))
  yield* deploy(games[0])

  const kept = join(folder, "kept")
  cpSync(path, kept, { recursive: true })
  const files = new Map(filesBelow(kept).map((file) => [relative(kept, file), readFileSync(file)]))
  return {
    home,
    held,
    /** Every file with its bytes, by its path in the home. */
    files,
    night: home.night.pipe(at("06-05")),
    /** The same night, with its warnings. */
    warnings: Effect.gen(function* () {
      const warned: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void warned.push(String(message)))])
      const night = runNight([], () => {}).pipe(at("06-05"), Effect.provideContext(home.services))
      const { verdict } = yield* Effect.provide(night, logger)
      return { verdict, warned }
    }),
    doctor: provided(checkHome),
    loadRates: provided(runFx(rates)).pipe(at("06-06")),
    repair: provided(runRepair(false)).pipe(at("06-06")),
    /** The same with `--accept`. */
    accept: provided(runRepair(true)).pipe(at("06-06")),
    startOver: Effect.sync(() => {
      rmSync(path, { recursive: true, force: true })
      cpSync(kept, path, { recursive: true })
    })
  }
})

/** A {@link make} home for all tests of a file. Each begins with `startOver`. */
export class DamageableHome extends Context.Service<DamageableHome, Effect.Success<typeof make>>()(
  "cardlake/test/DamageableHome"
) {
  static readonly layer = Layer.effect(DamageableHome, make)
}
