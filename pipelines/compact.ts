import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { printAnswer } from "./printAnswer.ts"
import { home, json } from "./settings.ts"

const games = Argument.String("game").pipe(
  Argument.withDescription("Game ids; default: every game of the lake"),
  Argument.variadic()
)

/** Moves the history into files of a month, sorted by product. */
export const compact = Command.make(
  "compact",
  { games, home, json },
  Effect.fnUntraced(function* ({ games, json }) {
    const { runCompact } = yield* Effect.promise(() => import("../src/run/runCompact.ts"))
    const { compactText } = yield* Effect.promise(() => import("./compactText.ts"))
    const done = yield* runCompact(games)
    yield* printAnswer(json, done, ({ games }) => compactText(games))
  })
).pipe(
  Command.withDescription(
    "Move the prices of closed months, and once a week of this one, into one file a month, faster to ask by product; a large game takes less room so, a small one a little more"
  ),
  Command.withExamples([
    {
      command: "cardlake compact",
      description: "Every game; nightly does the same for those that it publishes"
    },
    { command: "cardlake compact magic --json", description: "One game; what was done as one JSON object" }
  ])
)
