import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { home, json } from "./settings.ts"

const game = Argument.String("game").pipe(Argument.withDescription("Game id"))
const from = Argument.String("from").pipe(
  Argument.withDescription("Earlier snapshot or deployment; default: the one before"),
  Argument.optional
)
const to = Argument.String("to").pipe(
  Argument.withDescription("Later snapshot or deployment; default: the newest snapshot"),
  Argument.optional
)

/** What changed between two snapshots of a game, and whether the changelog says the same. */
export const diff = Command.make(
  "diff",
  { game, from, to, home, json },
  Effect.fnUntraced(function* ({ from, game, json, to }) {
    const { runDiff } = yield* Effect.promise(() => import("./runDiff.ts"))
    const { diffText } = yield* Effect.promise(() => import("./diffText.ts"))
    const found = yield* runDiff(game, Option.getOrNull(from), Option.getOrNull(to))
    yield* Console.log(json ? JSON.stringify(found) : diffText(found))
  })
).pipe(
  Command.withDescription("Compare two snapshots of a game, field by field, and with the changelog's claims"),
  Command.withExamples([
    { command: "cardlake diff magic", description: "The newest snapshot against the one before" },
    { command: "cardlake diff magic dep_1f00 dep_9c2e --json", description: "Two deployments, as JSON" }
  ])
)
