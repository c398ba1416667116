import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { textArgument, home, json, wholeNumberFlag, optionalText } from "./flags/sharedFlags.ts"
import { printAnswer } from "./print/printAnswer.ts"

const words = textArgument("words").pipe(
  Argument.withDescription(
    "Parts of a name in any language, a code and number, an id, filters such as set:mh2 'price>20'"
  ),
  Argument.variadic({ min: 1 })
)
const game = optionalText("game", "GAME", "One game's id; default: all games")
const most = wholeNumberFlag("most", "N", { from: 1, to: 10_000 }).pipe(
  Flag.withDescription("How many products to list"),
  Flag.withDefault(20)
)

/** Finds products by what people type, with their market values. */
export const search = Command.make(
  "search",
  { words, game, most, home, json },
  Effect.fnUntraced(function* ({ game, json, most, words }) {
    const { runSearch } = yield* Effect.promise(() => import("../src/night/run/runSearch.ts"))
    const { foundText } = yield* Effect.promise(() => import("./print/foundText.ts"))
    const said = words.join(" ")
    const found = yield* runSearch({ said, gameId: Option.getOrNull(game), most })
    yield* printAnswer(json, found, (all) => foundText(said, all))
  })
).pipe(
  Command.withDescription(
    "Find products by name, number or id: the best first, with market value and change in 7 days"
  ),
  Command.withExamples([
    { command: "cardlake search lotus, black", description: "Words in any order, with or without accents and signs" },
    { command: "cardlake search mh2 138", description: "The code of a set and a number" },
    {
      command: `cardlake search "set:mh2 finish:foil rarity:m price>20"`,
      description: "Filters; kind:sealed is another"
    },
    { command: "cardlake search --json 4000000000055", description: "An id of any system, or a bar code, as JSON" }
  ])
)
