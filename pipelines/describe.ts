import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { printText } from "./printAnswer.ts"
import { home, json } from "./settings.ts"

const name = Argument.String("name").pipe(
  Argument.withDescription("Table, view or macro; default: all of them"),
  Argument.optional
)
const markdown = Flag.Boolean("markdown").pipe(
  Flag.withDescription("Print the data dictionary"),
  Flag.withDefault(false)
)

/** What the lake's tables, views and macros mean. */
export const describe = Command.make(
  "describe",
  { name, markdown, home, json },
  Effect.fnUntraced(function* ({ json, markdown, name }) {
    const { runDescribe } = yield* Effect.promise(() => import("./runDescribe.ts"))
    const { describedList, describedText, dictionary } = yield* Effect.promise(() => import("./describeText.ts"))
    const all = yield* runDescribe(Option.getOrNull(name))
    if (json) return yield* Console.log(JSON.stringify(all))
    if (markdown) return yield* Console.log(dictionary(all))
    return yield* printText(Option.isSome(name) ? all.map(describedText).join("\n\n") : describedList(all))
  })
).pipe(
  Command.withDescription("Say what every table, view and macro of the lake means"),
  Command.withExamples([
    { command: "cardlake describe", description: "All of them, a line each" },
    { command: "cardlake describe movers", description: "Columns, types, parameters and an example" },
    { command: "cardlake describe --markdown", description: "The data dictionary" }
  ])
)
