import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { printAnswer } from "./printAnswer.ts"
import { home, json, why } from "./settings.ts"
import { Stopped } from "./Stopped.ts"

const game = Argument.String("game").pipe(Argument.withDescription("Game id"))
const snapshot = Argument.String("snapshot").pipe(
  Argument.withDescription("Snapshot; default: the published one"),
  Argument.optional
)
const refusals = Flag.Boolean("refusals").pipe(
  Flag.withDescription("Try refused records under the present contract, and publish a corrected snapshot"),
  Flag.withDefault(false)
)

/** Makes a snapshot again from its raw pages, without the marketplace. */
export const replay = Command.make(
  "replay",
  { game, snapshot, refusals, why, home, json },
  Effect.fnUntraced(function* ({ game, json, refusals, snapshot, why }) {
    const { runRefusals, runReplay } = yield* Effect.promise(() => import("../src/run/runReplay.ts"))
    const { refusalsText, replayText } = yield* Effect.promise(() => import("./replayText.ts"))
    const wanted = Option.getOrNull(snapshot)
    if (refusals) {
      const done = yield* runRefusals({ gameId: game, wanted, why: Option.getOrNull(why) })
      yield* printAnswer(json, done, refusalsText)
      return yield* done.verdict === "held" ? new Stopped({ code: 3 }) : Effect.void
    }
    const done = yield* runReplay(game, wanted)
    yield* printAnswer(json, done, replayText)
    return yield* done.equal ? Effect.void : new Stopped({ code: 1 })
  })
).pipe(
  Command.withDescription("Make a snapshot again from its raw pages, offline, and compare it with the one on record"),
  Command.withExamples([
    { command: "cardlake replay magic", description: "Exit code 1 when a table differs by a byte" },
    {
      command: "cardlake replay magic --refusals",
      description: "After a contract was mended: bring refused records in"
    }
  ])
)
