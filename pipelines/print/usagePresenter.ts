import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as CliOutput from "effect/cli/CliOutput"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { screenWidth } from "../../src/night/observe/shortTexts.ts"
import { isStartedByNpm } from "./hints.ts"
import { printErrorJson } from "./printAnswer.ts"
import { wrapLines } from "./wrapLines.ts"

/** An error in one sentence; what the parser proposes is below it, a line for each. */
const sentenceOf = ({ message }: { readonly message: string }): string => {
  const [what = "", asks, ...proposed] = message.split(/\n\s*/)
  return asks === undefined ? what : `${what}. Did you mean ${proposed.join(" or ")}?`
}

/**
 * Standard output has the answer and nothing else; the rest goes to standard error.
 * A wrong command line gets three lines: what is wrong, the usage, and where the whole help is.
 */
export const usagePresenter: CliOutput.Presenter = {
  present: (event) => {
    const presented = CliOutput.defaultPresenter.present(event)
    if (event._tag === "Version" || (event._tag === "Help" && event.reason === "Requested")) return presented
    if (event._tag === "Help")
      return Console.consoleWith((console) =>
        Effect.provideService(presented, Console.Console, { ...console, log: console.error })
      )
    return Effect.gen(function* () {
      const program = (yield* Effect.orElseSucceed(isStartedByNpm, () => false)) ? "npx " : ""
      const reason = event.errors.map(sentenceOf).join("; ")
      const usage = `${program}${event.helpDoc.usage}`
      const lines = [
        `cardlake: ${shownText(reason)}`,
        `Usage: ${usage}`,
        `Help:  ${program}${event.commandPath.join(" ")} --help`
      ]
      yield* Console.error(wrapLines(lines.join("\n"), screenWidth(process.stderr)))
      yield* printErrorJson({ error: "WrongUsage", reason, exitCode: 2, usage })
    })
  }
}
