import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as CliOutput from "effect/cli/CliOutput"

/** Help that nobody asked for goes to standard error with the reason: standard output is the answer alone. */
export const usagePresenter: CliOutput.Presenter = {
  present: (event) => {
    const presented = CliOutput.defaultPresenter.present(event)
    const isAnswer = event._tag === "Version" || (event._tag === "Help" && event.reason === "Requested")
    return isAnswer
      ? presented
      : Console.consoleWith((console) =>
          Effect.provideService(presented, Console.Console, { ...console, log: console.error })
        )
  }
}
