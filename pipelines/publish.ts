import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { amountOf, grouped } from "../src/store/diff/amountOf.ts"
import type { PublishedNight } from "../src/night/cluster/steps/runPublish.ts"
import { bucketOfSteps, night, unchangedCode } from "./flags/nightFlags.ts"
import { durationFlag, home, json, settingsOf } from "./flags/sharedFlags.ts"
import { printAnswer, Stopped } from "./print/printAnswer.ts"
import { warnings } from "./print/standardError.ts"

const wait = durationFlag(
  "wait",
  "Wait so long for games that nobody has read to their end, such as 2h; default: not at all",
  '2h or "90 minutes"'
).pipe(Flag.withDefault(Duration.zero))

/** Publishes a night that was read in parts. */
export const publish = Command.make(
  "publish",
  { night, wait, unchangedCode, home, json },
  Effect.fnUntraced(function* ({ json, night, unchangedCode, wait, ...flags }) {
    const settings = settingsOf(flags)
    const address = yield* bucketOfSteps(settings)
    const { bucketServices } = yield* Effect.promise(() => import("./settings/services.ts"))
    const { openStore } = yield* Effect.promise(() => import("../src/store/home/bucket/BucketStore.ts"))
    const { exitCodeOfPublication, runPublish } = yield* Effect.promise(
      () => import("../src/night/cluster/steps/runPublish.ts")
    )
    const { textTable } = yield* Effect.promise(() => import("../src/night/observe/textTable.ts"))
    const services = yield* Layer.build(bucketServices(settings))
    const published = yield* Effect.provideContext(
      Effect.flatMap(openStore(address), (store) => runPublish(store, night, wait)),
      services
    )
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
          : [
              `Nobody has read to their end: ${waiting.join(", ")}. Publish them once somebody has: cardlake publish ${night}`
            ]),
        ...(later.length === 0 ? [] : [`Read for a later night already, which publishes them: ${later.join(", ")}`]),
        `${night} ${verdict}: ${isNew.length === 0 ? "nothing was left to publish" : `${amountOf(isNew.length, "game")} published in one swap`}`
      ].join("\n")
    }
    yield* printAnswer(json, published, text)
    const code = published.verdict === "unchanged" ? unchangedCode : exitCodeOfPublication(published)
    if (code > 0) return yield* new Stopped({ code })
  }, Effect.scoped)
).pipe(
  Command.provide(warnings),
  Command.withDescription("Publish what is ready of a night that several machines read in parts"),
  Command.withExamples([
    { command: "cardlake publish 2026-11-23-1 --home s3://lakes/cards", description: "All that is ready, in one swap" },
    {
      command: "cardlake publish 2026-11-23-1 --home s3://lakes/cards --wait 2h --json",
      description: "Once every game is read, or after two hours what there is"
    }
  ])
)
