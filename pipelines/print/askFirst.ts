import { Effect } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { Stopped, stopWith, wrongUsage } from "./printAnswer.ts"

/** Asks for confirmation on a terminal, else needs `--yes`. `what`: "rollback takes back what is published". */
export const askFirst = <E, R>(
  { json, what, yes }: { readonly json: boolean; readonly what: string; readonly yes: boolean },
  question: Effect.Effect<string, E, R>
) =>
  Effect.gen(function* () {
    if (yes) return
    if (json || !process.stdin.isTTY || !process.stdout.isTTY)
      return yield* wrongUsage(`${what}. Needs confirmation: add --yes`)
    const isMeant = yield* Prompt.run(Prompt.Confirm({ message: shownText(yield* question) })).pipe(
      Effect.catchTag("QuitError", () => Effect.fail(new Stopped({ code: 130 })))
    )
    if (!isMeant) return yield* stopWith(1, "NotMeant", "Nothing was changed")
  })
