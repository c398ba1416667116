import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { askFirst, yes, textArgument, home, json, why, optionalArgument, switchFlag } from "./flags/sharedFlags.ts"
import { inLake, readingNewest, writingGame } from "./flags/inLake.ts"
import { printAnswer } from "./print/printAnswer.ts"

const game = textArgument("game").pipe(Argument.withDescription("Game id"))
const snapshot = optionalArgument(
  "snapshot",
  "Held snapshot; default: the newest one, if it is newer than the published one"
)

const takeBack = switchFlag("take-back", "For an older snapshot: take back what was published after it")

/** Publishes a held snapshot, if a person says so. */
export const release = Command.make(
  "release",
  { game, snapshot, takeBack, why, yes, home, json },
  Effect.fnUntraced(function* ({ game, json, snapshot, takeBack, why, yes, ...flags }) {
    const { planRelease, runRelease } = yield* Effect.promise(() => import("../src/night/run/runRelease.ts"))
    const { republishedText } = yield* Effect.promise(() => import("../src/night/run/publishAs.ts"))
    const asked = { gameId: game, wanted: Option.getOrNull(snapshot), why: Option.getOrNull(why), takesBack: takeBack }
    const question = Effect.map(
      inLake(flags, readingNewest([game]), () => planRelease(asked)),
      ({ chosen, takenBack }) =>
        `${game}: publish ${chosen.manifest.snapshot}${takenBack.length === 0 ? "" : `, take back ${takenBack.join(", ")}`}? It was held: ${chosen.reasons.join("; ")}`
    )
    yield* askFirst({ json, yes, what: "release publishes what was held" }, question)
    const done = yield* writingGame(flags, game, runRelease(asked))
    yield* printAnswer(json, done, (released) =>
      [republishedText(released), ...released.takenBack.map((night) => `Taken back: ${night}`)].join("\n")
    )
  })
).pipe(
  Command.withDescription("Publish a held snapshot on purpose; asks first, on a terminal"),
  Command.withExamples([
    {
      command: "cardlake release magic --why 'Checked: the set was really withdrawn'",
      description: "The newest held snapshot of a game"
    },
    {
      command: "cardlake release magic 20261120T030000000Z-3f9a --yes --json",
      description: "A particular one, without a question, as JSON"
    }
  ])
)
