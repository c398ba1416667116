import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import { amountOf, grouped } from "../src/store/diff/amountOf.ts"
import type { PlannedNight } from "../src/night/cluster/steps/runPlan.ts"
import { bucketOfSteps } from "./flags/nightFlags.ts"
import { home, json, settingsOf, url, switchFlag } from "./flags/sharedFlags.ts"
import { printAnswer, printExact } from "./print/printAnswer.ts"
import { warnings } from "./print/standardError.ts"

const id = switchFlag("id", "Print the id of the night and nothing else")

/** The night that several machines read in parts. */
export const plan = Command.make(
  "plan",
  { id, url, home, json },
  Effect.fnUntraced(function* ({ id, json, ...flags }) {
    const settings = settingsOf(flags)
    const address = yield* bucketOfSteps(settings)
    const { bucketServices, marketplaceServices } = yield* Effect.promise(() => import("./settings/services.ts"))
    const { openStore } = yield* Effect.promise(() => import("../src/store/home/bucket/BucketStore.ts"))
    const { runPlan, runPlanId } = yield* Effect.promise(() => import("../src/night/cluster/steps/runPlan.ts"))
    const { textTable } = yield* Effect.promise(() => import("../src/night/observe/textTable.ts"))
    const { durationText } = yield* Effect.promise(() => import("../src/night/observe/figureTexts.ts"))
    const services = yield* Layer.build(Layer.merge(marketplaceServices(settings), bucketServices(settings)))
    const store = yield* Effect.provideContext(openStore(address), services)
    if (id) {
      const { night } = yield* Effect.provideContext(runPlanId(store), services)
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
        requests === null ? "Nothing is known of what they take" : `Last time: ${amountOf(requests, "request")}`
      const takes =
        limit === null || secondsAtLeast === null
          ? ""
          : `, at ${grouped(limit)} a minute at least ${durationText(secondsAtLeast)}, with however many machines`
      return [
        table,
        "",
        `${last}${takes}`,
        `Read each game with: cardlake nightly GAME --part-of ${night}`,
        `Then publish them: cardlake publish ${night}`,
        `The night is ${night}: ${amountOf(games.length, "game")}`
      ].join("\n")
    }
    return yield* printAnswer(json, yield* Effect.provideContext(runPlan(store), services), text)
  }, Effect.scoped)
).pipe(
  Command.provide(warnings),
  Command.withDescription("Name a night that several machines read in parts, and say what it will take"),
  Command.withExamples([
    {
      command: "cardlake plan --home s3://lakes/cards --json",
      description: "The night, and its games by their numbers, the heaviest first"
    },
    { command: "cardlake plan --home s3://lakes/cards --id", description: "The night alone, for a shell" }
  ])
)
