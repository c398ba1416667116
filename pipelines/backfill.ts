import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { amountOf, grouped } from "../src/store/diff/amountOf.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import type { PlaceInBucket } from "../src/store/home/bucket/workInBucket.ts"
import type { runBackfill } from "../src/night/run/backfill/runBackfill.ts"
import { dayFlag, textArgument, home, json, settingsOf, url, numberFlag, optionalText } from "./flags/sharedFlags.ts"
import { backfilling } from "./flags/inLake.ts"
import { printAnswer, Stopped } from "./print/printAnswer.ts"

const games = textArgument("game").pipe(
  Argument.withDescription("Game ids that the lake has"),
  Argument.variadic({ min: 1 })
)
const where = optionalText(
  "where",
  "SQL",
  "Which products: a condition on the columns of table products and market_value, their highest; default: those that are priced"
)
const budget = numberFlag("budget", "SHARE", { from: 0.01, to: 1 }).pipe(
  Flag.withDescription(
    "The part of each limit of the marketplace that it uses; default: half of those that nights need, too, all of the price history's own"
  ),
  Flag.optional
)
const from = dayFlag("from", "The first day; default: 365 days up to the day that a product was queued")

/** No night asks for the price history, which has a limit of its own. */
const shareOf = Option.match({
  onNone: () => ({ common: 0.5, own: 1 }),
  onSome: (share: number) => ({ common: share, own: share })
})

const interrupted = "Interrupted; the answers so far are kept. To go on, run it again"

/** Asks the marketplace for the prices of days past. */
export const backfill = Command.make(
  "backfill",
  { games, where, budget, from, url, home, json },
  Effect.fnUntraced(function* ({ budget, from, games, json, where, ...flags }) {
    const { runBackfill } = yield* Effect.promise(() => import("../src/night/run/backfill/runBackfill.ts"))
    const { homeServices, marketplaceServices } = yield* Effect.promise(() => import("./settings/services.ts"))
    const { showBackfill } = yield* Effect.promise(() => import("./print/showProgress.ts"))
    const settings = settingsOf(flags)
    const { inHome } = yield* Effect.promise(() => import("./flags/inHome.ts"))
    const services = (settings: Record<string, string>, place?: PlaceInBucket) =>
      Layer.merge(
        homeServices(settings, place),
        marketplaceServices(settings, { keyBudgets: place?.keyBudgets, share: shareOf(budget) })
      )
    const show = showBackfill(process.stderr)
    const options = { games, where: Option.getOrNull(where), from: Option.getOrNull(from) }
    const exitOf = (asking: ReturnType<typeof asked>) => Effect.exit(asking)
    const asked = (settings: Record<string, string>, place?: PlaceInBucket) =>
      Effect.gen(function* () {
        const context = yield* Layer.build(services(settings, place))
        return yield* Effect.provideContext(runBackfill(options, show.onProgress), context)
      }).pipe(Effect.scoped)
    // What was answered is kept, however it ends.
    const ended = yield* Effect.uninterruptibleMask((restore) =>
      inHome(settings, backfilling<Effect.Success<ReturnType<typeof exitOf>>>(games), (settings, _, place) =>
        exitOf(restore(asked(settings, place)))
      )
    ).pipe(Effect.scoped)
    const done = yield* ended.pipe(
      Effect.ensuring(Effect.sync(show.stop)),
      Effect.onInterrupt(() => Effect.logWarning(interrupted))
    )
    yield* printAnswer(json, done, backfillText)
    if (done.games.some(({ failed, refused }) => failed + refused > 0)) return yield* new Stopped({ code: 4 })
  })
).pipe(
  Command.withDescription(
    "Ask the marketplace's own price history about products, dearest first; it goes on where it stopped, and the next night takes the answers into the lake"
  ),
  Command.withExamples([
    { command: "cardlake backfill emberfall", description: "A year of every product that is priced" },
    {
      command: 'cardlake backfill emberfall --where "market_value >= 20" --budget 0.9',
      description: "What costs at least 20, nearly as fast as the marketplace allows"
    },
    { command: "cardlake backfill emberfall tidewrack --from 2024-01-01 --json", description: "Further back, as JSON" }
  ])
)

/** What a backfill did, for a person. */
const backfillText = ({ games, requests, seconds }: Effect.Success<ReturnType<typeof runBackfill>>): string => {
  const table = textTable(
    ["game", "queued", "stored", "prices", "refused", "not found", "failed", "left"],
    games.map((game) => [
      game.gameId,
      grouped(game.queued),
      grouped(game.stored),
      grouped(game.rows),
      grouped(game.refused + game.refusedRows),
      grouped(game.notFound),
      grouped(game.failed),
      grouped(game.left)
    ])
  )
  const reasons = games.flatMap(({ failed, gameId, reason }) =>
    reason === null
      ? []
      : [`${gameId}: ${amountOf(failed, "product")} without an answer, the last one because: ${reason}`]
  )
  const left = games.some((game) => game.left > 0) ? ["What is left is asked by the next backfill of its game."] : []
  const next = games.some(({ notFound, refused, stored }) => stored + refused + notFound > 0)
    ? ["The next night takes the answers into the lake: cardlake nightly"]
    : []
  return [table, "", ...reasons, ...left, `${amountOf(requests, "request")} in ${seconds.toFixed(1)} s`, ...next].join(
    "\n"
  )
}
