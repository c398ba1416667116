import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { home, json, url } from "./settings.ts"
import { Stopped } from "./Stopped.ts"

const games = Argument.String("game").pipe(
  Argument.withDescription("Game ids, as GET /v1/games returns them; none: every game"),
  Argument.variadic()
)

/** The nightly run: standard output is the verdict and nothing else; progress goes to standard error. */
export const nightly = Command.make(
  "nightly",
  { games, url, home, json },
  Effect.fnUntraced(function* ({ games, json }) {
    const { runNight } = yield* Effect.promise(() => import("./runNight.ts"))
    const { showNight } = yield* Effect.promise(() => import("./showNight.ts"))
    const { verdictText } = yield* Effect.promise(() => import("./verdictText.ts"))
    const { exitCodeOf } = yield* Effect.promise(() => import("./RunReport.ts"))
    const night = showNight(process.stderr)
    const report = yield* Effect.ensuring(runNight(games, night.onProgress), Effect.sync(night.stop))
    yield* Console.log(json ? JSON.stringify(report) : verdictText(report))
    const code = exitCodeOf(report.games)
    if (code > 0) return yield* new Stopped({ code })
  })
).pipe(
  Command.withDescription("Read every game, publish what is new, and say what changed"),
  Command.withExamples([
    { command: "cardlake nightly", description: "Every game of CARDLAKE_URL into the lake" },
    { command: "cardlake nightly magic riftbound --home /srv/lake", description: "Two games into a lake elsewhere" },
    { command: "cardlake nightly --json", description: "The verdict as one JSON object on standard output" }
  ])
)
