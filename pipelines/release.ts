import { Effect } from "effect"
import { republishedText, planRelease, runRelease } from "../src/night/run/publishAs.ts"
import { inLake, writing, writingGame } from "./flags/inHome.ts"
import { askFirst } from "./print/askFirst.ts"
import { printAnswer } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

export const release = Effect.fnUntraced(function* (input: typeof specs.release.Input) {
  const { game, json, snapshot, takeBack, why, yes, ...flags } = input
  const about = { gameId: game, wanted: snapshot, why, takesBack: takeBack }
  const question = Effect.map(
    inLake(flags, { ...writing([game]), writes: null }, () => planRelease(about)),
    ({ chosen, takenBack }) =>
      `${game}: publish ${chosen.manifest.snapshot}${takenBack.length === 0 ? "" : `, take back ${takenBack.join(", ")}`}? It was held: ${chosen.reasons.join("; ")}`
  )
  yield* askFirst({ json, yes, what: "release publishes what was held" }, question)
  const done = yield* writingGame(flags, game, runRelease(about))
  yield* printAnswer(json, done, (released) =>
    [republishedText(released), ...released.takenBack.map((night) => `Taken back: ${night}`)].join("\n")
  )
})
