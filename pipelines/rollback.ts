import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { askFirst, yes, textArgument, home, json, why, optionalArgument } from "./flags/sharedFlags.ts"
import { inLake, reading, writingGame } from "./flags/inLake.ts"
import { printAnswer } from "./print/printAnswer.ts"

const game = textArgument("game").pipe(Argument.withDescription("Game id"))
const snapshot = optionalArgument("snapshot", "Snapshot to return to; default: the one before")
/** Returns to an earlier snapshot, if a person says so; the next night compares with it. */
export const rollback = Command.make(
  "rollback",
  { game, snapshot, why, yes, home, json },
  Effect.fnUntraced(function* ({ game, json, snapshot, why, yes, ...flags }) {
    const { planRollback, runRollback } = yield* Effect.promise(() => import("../src/night/run/runRollback.ts"))
    const { republishedText } = yield* Effect.promise(() => import("../src/night/run/publishAs.ts"))
    const asked = { gameId: game, wanted: Option.getOrNull(snapshot) }
    const question = Effect.map(
      inLake(flags, reading("recent", [game]), () => planRollback(asked)),
      ({ from, to }) => `${game}: take back ${from}, and publish ${to} again?`
    )
    yield* askFirst({ json, yes, what: "rollback takes back what is published" }, question)
    const done = yield* writingGame(flags, game, runRollback({ ...asked, why: Option.getOrNull(why) }))
    yield* printAnswer(json, done, republishedText)
  })
).pipe(
  Command.withDescription("Return a game to an earlier snapshot; asks first, on a terminal"),
  Command.withExamples([
    {
      command: 'cardlake rollback magic --why "Last night\'s prices are wrong"',
      description: "The snapshot before the current one"
    },
    {
      command: "cardlake rollback magic 20261120T030000000Z-3f9a --yes --json",
      description: "A particular one, without a question, as JSON"
    }
  ])
)
