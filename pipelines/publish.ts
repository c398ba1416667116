import { Effect } from "effect"
import { exitCodeOfPublication, type PublishedNight, runPublish } from "../src/night/cluster/steps/runPublish.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { formatAmount, grouped } from "../src/store/diff/formatAmount.ts"
import { openStore } from "../src/store/home/bucket/BucketStore.ts"
import { bucketOfSteps, refreshFrontIn } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printAnswer, Stopped } from "./print/printAnswer.ts"
import { bucketServices, withServices } from "./settings/services.ts"
import type * as specs from "./specs/nights.ts"

export const publish = Effect.fnUntraced(function* (input: typeof specs.publish.Input) {
  const { json, night, unchangedCode, wait, ...flags } = input
  const settings = toSettings(flags)
  const address = yield* bucketOfSteps(settings)
  const published = yield* withServices(bucketServices(settings))(
    Effect.flatMap(openStore(address), (store) => runPublish(store, night, wait))
  )
  yield* refreshFrontIn(settings)
  const text = ({ games, night, verdict }: PublishedNight): string => {
    const table = textTable(
      ["game", "verdict", "products", "added", "modified", "removed", "repriced"],
      games.map(({ changes, gameId, products, verdict }) => [
        gameId,
        verdict,
        grouped(products),
        grouped(changes?.products.added ?? null),
        grouped(changes?.products.modifiedCatalogue ?? null),
        grouped(changes?.products.removed ?? null),
        grouped(changes?.products.modifiedPrice ?? null)
      ])
    )
    const reasons = games.flatMap(({ gameId, reason, verdict }) =>
      reason === null ? [] : [`${gameId} ${verdict}: ${reason}`]
    )
    const of = (state: string) => games.filter((game) => game.verdict === state).map(({ gameId }) => gameId)
    const waiting = of("waiting")
    const later = of("later")
    const isNew = games.filter((game) => game.isNew)
    return [
      table,
      "",
      ...reasons,
      ...(waiting.length === 0
        ? []
        : [`Not read to the end: ${waiting.join(", ")}. Publish them later: cardlake publish ${night}`]),
      ...(later.length === 0 ? [] : [`Already read for a later night, which publishes them: ${later.join(", ")}`]),
      `${night} ${verdict}: ${isNew.length === 0 ? "nothing left to publish" : `${formatAmount(isNew.length, "game")} published together`}`
    ].join("\n")
  }
  yield* printAnswer(json, published, text)
  const code = published.verdict === "unchanged" ? unchangedCode : exitCodeOfPublication(published)
  if (code > 0) return yield* new Stopped({ code })
})
