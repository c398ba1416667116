import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { dialectNames } from "../src/feed/contract/dialect/dialects.ts"
import { dialectFlag, json, optionalArgument } from "./flags/sharedFlags.ts"
import { warnings } from "./print/standardError.ts"

const capture = optionalArgument(
  "capture",
  "What cardlake doctor --capture wrote; without it, a known dialect is printed"
)
const like = Flag.Literals("like", dialectNames).pipe(
  Flag.withDescription("The dialect to begin with; default: live, or the one that fits the capture best"),
  Flag.optional
)
const tried = dialectFlag("Say what of the capture is understood in this dialect, instead of proposing one").pipe(
  Flag.optional
)

/** Prints a dialect as a file to alter, proposes one for a capture, or tries one on it. */
export const dialect = Command.make(
  "dialect",
  { capture, like, dialect: tried, json },
  Effect.fnUntraced(function* ({ capture, dialect, json, like }) {
    const { runDialect } = yield* Effect.promise(() => import("./lake/runDialect.ts"))
    yield* runDialect({
      capture: Option.getOrNull(capture),
      like: Option.getOrNull(like),
      dialect: Option.getOrNull(dialect),
      json
    })
  })
).pipe(
  Command.withDescription(
    "Print a dialect as a file to alter: a known one, or one proposed for a capture; or try one on it, offline"
  ),
  Command.withExamples([
    { command: "cardlake dialect --like live", description: "The live service's words, as a file" },
    {
      command: "cardlake dialect capture.json > dialect.json",
      description: "What a service seems to say otherwise, as a file to look through"
    },
    {
      command: "cardlake dialect capture.json --dialect dialect.json",
      description: "What of it is understood with the file; exit code 1 if a night would fail or lose prices"
    }
  ]),
  Command.provide(warnings)
)
