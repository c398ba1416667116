import { Effect, Layer } from "effect"
import { type PlannedNight, runPlan, runPlanId } from "../src/night/cluster/steps/partOfNight.ts"
import { durationText } from "../src/night/observe/figureTexts.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { formatAmount, grouped } from "../src/store/diff/formatAmount.ts"
import { openStore } from "../src/store/home/bucket/BucketStore.ts"
import { bucketOfSteps } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printAnswer, printExact } from "./print/printAnswer.ts"
import { marketplaceServices } from "./settings/marketServices.ts"
import { bucketServices, withServices } from "./settings/services.ts"
import type * as specs from "./specs/nights.ts"

export const plan = Effect.fnUntraced(function* ({ id, json, ...flags }: typeof specs.plan.Input) {
  const settings = toSettings(flags)
  const address = yield* bucketOfSteps(settings)
  const inBucket = withServices(Layer.merge(marketplaceServices(settings), bucketServices(settings)))
  if (id) {
    const { night } = yield* inBucket(Effect.flatMap(openStore(address), (store) => runPlanId(store)))
    return yield* json ? printAnswer(true, { night }, String) : printExact(night)
  }
  const text = ({ games, limit, night, requests, secondsAtLeast }: PlannedNight): string => {
    const table = textTable(
      ["index", "game", "newest deployment", "read last", "requests", "products", "seconds"],
      games.map(({ gameId, head, index, weight }) => [
        String(index),
        gameId,
        head?.id ?? "",
        weight?.deploymentId ?? "",
        grouped(weight?.requests ?? null),
        grouped(weight?.products ?? null),
        weight?.seconds.toFixed(1) ?? ""
      ]),
      { leaveOut: ["read last", "products", "newest deployment"] }
    )
    const last =
      requests === null ? "No estimate: these games were never read" : `Last time: ${formatAmount(requests, "request")}`
    const takes =
      limit === null || secondsAtLeast === null
        ? ""
        : `, at least ${durationText(secondsAtLeast)} at ${grouped(limit)} a minute, with any number of machines`
    return [
      table,
      "",
      `${last}${takes}`,
      `Read each game with: cardlake nightly GAME --part-of ${night}`,
      `Then publish them: cardlake publish ${night}`,
      `The night is ${night}: ${formatAmount(games.length, "game")}`
    ].join("\n")
  }
  return yield* printAnswer(json, yield* inBucket(Effect.flatMap(openStore(address), runPlan)), text)
})
