import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import type { DialectName } from "../../src/feed/contract/dialect/dialects.ts"
import { storeConfirmations } from "../../src/store/lake/history/tidyHistory.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { beginRun } from "../../src/night/run/beginRun.ts"
import { runFx } from "../../src/night/run/runFx.ts"
import { gameId } from "../store/lake/invented.ts"
import { nightId, temporaryFolder } from "./FourNights.ts"

/** Publishes that the feed still matched a night when it was read at these times. */
export const readAgain = (place: number, ...times: ReadonlyArray<string>) => readAgainIn("spec", place, ...times)

/** The same in these words. */
export const readAgainIn = (dialect: DialectName, place: number, ...times: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const begun = yield* beginRun("fx")
      yield* storeConfirmations(
        gameId,
        times.map((seenAt) => ({ gameId, snapshot: nightId(place), seenAt, dialect }))
      )
      yield* publish(begun.run, begun.current, begun.lock)
    })
  )

/** Loads rates as the bank writes them: a header, then a line per day. */
export const loadRates = (...lines: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = `${yield* temporaryFolder}/rates.csv`
      writeFileSync(file, `${lines.join("\n")}\n`)
      yield* runFx(file)
    })
  )
