import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { printText } from "./printAnswer.ts"

const home = Flag.String("home").pipe(
  Flag.withDescription("Folder for the demo's lake, made anew; default: data/demo"),
  Flag.optional
)

/** The whole road on the built-in marketplace: two nights, what changed between them, two questions to the lake. */
export const demo = Command.make(
  "demo",
  { home },
  Effect.fnUntraced(function* ({ home }) {
    const { runDemo } = yield* Effect.promise(() => import("./runDemo.ts"))
    yield* runDemo(
      Option.getOrElse(home, () => "data/demo"),
      printText
    )
  })
).pipe(
  Command.withDescription("Run two nights against the built-in sandbox marketplace and ask the lake"),
  Command.withExamples([{ command: "cardlake demo", description: "Ends by itself and says where the files are" }])
)
