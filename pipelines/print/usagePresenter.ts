import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as CliOutput from "effect/cli/CliOutput"
import { Hints } from "./hints.ts"

/**
 * Standard output has the answer and nothing else; the rest goes to standard error.
 * A wrong command line gets the reason and the usage, not the whole help.
 */
export const usagePresenter: CliOutput.Presenter = {
  present: (event) => {
    const presented = CliOutput.defaultPresenter.present(event)
    if (event._tag === "Version" || (event._tag === "Help" && event.reason === "Requested")) return presented
    return Console.consoleWith((console) => {
      if (event._tag === "Help")
        return Effect.provideService(presented, Console.Console, { ...console, log: console.error })
      const usage = `\nUSAGE\n  ${event.helpDoc.usage}\n\nIts arguments and flags: ${event.commandPath.join(" ")} --help`
      return Effect.andThen(
        Effect.provideService(presented, Console.Console, { ...console, log: () => {} }),
        Effect.flatMap(Hints, (withHints) => Console.error(withHints(usage)))
      )
    })
  }
}
