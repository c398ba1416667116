import { Effect, type Exit, Layer } from "effect"
import { textTable } from "../src/night/observe/textTable.ts"
import { runBackfill } from "../src/night/run/backfill/runBackfill.ts"
import { formatAmount, grouped } from "../src/store/diff/formatAmount.ts"
import type { PlaceInBucket, Work } from "../src/store/home/bucket/workInBucket.ts"
import { asDone, inHome } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printAnswer, Stopped } from "./print/printAnswer.ts"
import { showBackfill } from "./print/showProgress.ts"
import { marketplaceServices } from "./settings/marketServices.ts"
import { homeServices } from "./settings/services.ts"
import type * as specs from "./specs/nights.ts"

/** Rate shares of a backfill. Nights do not read the price history, which has a limit of its own. */
const splitRate = (budget: number | null) => ({ common: budget ?? 0.5, own: budget ?? 1 })

/** The work of a backfill: it adds answers to a game's newest state, however long it ran. */
const backfillWork = <A>(games: ReadonlyArray<string>): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "night", runs: "recent" },
  writes: { ...asDone, kind: "backfill", again: "lost" }
})

const interrupted = "Interrupted; the answers so far are stored. To resume, run it again"

export const backfill = Effect.fnUntraced(function* (input: typeof specs.backfill.Input) {
  const { budget, from, games, json, where, ...flags } = input
  const settings = toSettings(flags)
  const services = (settings: Record<string, string>, place?: PlaceInBucket) =>
    Layer.merge(
      homeServices(settings, place),
      marketplaceServices(settings, { keyBudgets: place?.keyBudgets, share: splitRate(budget) })
    )
  const show = showBackfill(process.stderr)
  const options = { games, where, from }
  const asking = Effect.scoped(runBackfill(options, show.onProgress))
  const work = backfillWork<Exit.Exit<Effect.Success<typeof asking>, Effect.Error<typeof asking>>>(games)
  // Answers received so far are stored, however the backfill ends.
  const ended = yield* Effect.uninterruptibleMask((restore) =>
    inHome(settings, { work, services }, () => Effect.exit(restore(asking)))
  ).pipe(Effect.scoped)
  const done = yield* ended.pipe(
    Effect.ensuring(Effect.sync(show.stop)),
    Effect.onInterrupt(() => Effect.logWarning(interrupted))
  )
  yield* printAnswer(json, done, backfillText)
  if (done.games.some(({ failed, refused }) => failed + refused > 0)) return yield* new Stopped({ code: 4 })
})

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
    reason === null ? [] : [`${gameId}: ${formatAmount(failed, "product")} without an answer; last error: ${reason}`]
  )
  const left = games.some((game) => game.left > 0) ? ["The next backfill of the game requests the rest."] : []
  const next = games.some(({ notFound, refused, stored }) => stored + refused + notFound > 0)
    ? ["The next night loads the answers into the lake: cardlake nightly"]
    : []
  return [
    table,
    "",
    ...reasons,
    ...left,
    `${formatAmount(requests, "request")} in ${seconds.toFixed(1)} s`,
    ...next
  ].join("\n")
}
