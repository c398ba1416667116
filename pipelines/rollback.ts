import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { textArgument } from "./flags/filledText.ts"
import { printAnswer } from "./print/printAnswer.ts"
import { home, json, why } from "./flags/sharedFlags.ts"

const game = textArgument("game").pipe(Argument.withDescription("Game id"))
const snapshot = textArgument("snapshot").pipe(
  Argument.withDescription("Snapshot to return to; default: the one before"),
  Argument.optional
)

/** Returns to an earlier snapshot; the next night compares with it. */
export const rollback = Command.make(
  "rollback",
  { game, snapshot, why, home, json },
  Effect.fnUntraced(function* ({ game, json, snapshot, why }) {
    const { runRollback } = yield* Effect.promise(() => import("../src/run/runRollback.ts"))
    const { republishedText } = yield* Effect.promise(() => import("../src/run/publishAs.ts"))
    const done = yield* runRollback({ gameId: game, wanted: Option.getOrNull(snapshot), why: Option.getOrNull(why) })
    yield* printAnswer(json, done, republishedText)
  })
).pipe(
  Command.withDescription("Return a game to an earlier snapshot"),
  Command.withExamples([
    {
      command: 'cardlake rollback magic --why "Last night\'s prices are wrong"',
      description: "The snapshot before the current one"
    },
    { command: "cardlake rollback magic 20261120T030000000Z-3f9a --json", description: "A particular one, as JSON" }
  ])
)
