import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { optionalText } from "./flags/sharedFlags.ts"
import { printText } from "./print/printAnswer.ts"

const home = optionalText("home", "DIR", "Folder for the demo's lake, replaced each time; default: data/demo")

/** Plays ten nights on the built-in marketplace, one of them held and released, then asks the lake two questions. */
export const demo = Command.make(
  "demo",
  { home },
  Effect.fnUntraced(function* ({ home }) {
    const { runDemo } = yield* Effect.promise(() => import("./demo/runDemo.ts"))
    yield* runDemo(
      Option.getOrElse(home, () => "data/demo"),
      printText
    )
  })
).pipe(
  Command.withDescription("Play ten nights against the built-in sandbox marketplace and ask the lake"),
  Command.withExamples([{ command: "cardlake demo", description: "Ends by itself and says how to look at the lake" }])
)
