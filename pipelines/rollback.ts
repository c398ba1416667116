import { Effect } from "effect"
import { republishedText } from "../src/night/run/publishAs.ts"
import { planRollback, runRollback } from "../src/night/run/runRollback.ts"
import { inLake, readNeeds, writingGame } from "./flags/inHome.ts"
import { askFirst } from "./print/askFirst.ts"
import { printAnswer } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

export const rollback = Effect.fnUntraced(function* (input: typeof specs.rollback.Input) {
  const { game, json, snapshot, why, yes, ...flags } = input
  const about = { gameId: game, wanted: snapshot }
  const question = Effect.map(
    inLake(flags, readNeeds("recent", [game]), () => planRollback(about)),
    ({ from, to }) => `${game}: take back ${from}, and publish ${to} again?`
  )
  yield* askFirst({ json, yes, what: "rollback takes back what is published" }, question)
  const done = yield* writingGame(flags, game, runRollback({ ...about, why }))
  yield* printAnswer(json, done, republishedText)
})
