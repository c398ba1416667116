import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { gameId } from "../store/lake/invented.ts"
import { hostileCases } from "../safety/hostileTexts.ts"
import { placeOf } from "./damagedDrop.ts"
import { exportTo, temporaryFolder, FourNights } from "./FourNights.ts"
import { suite } from "../support/suite.ts"

/** In `npm test` so many of each document. */
const few = 4

const isDefect = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(run), (ended) => Exit.isFailure(ended) && Cause.hasDies(ended.cause))

suite(FourNights.layer, "a drop whose documents somebody changed", (it) => {
  for (const name of ["drop.json", `_state/${gameId}.json`, `${placeOf(1)}/_manifest.json`])
    it(`leads no export outside by ${name}`, function* () {
      const { services } = yield* FourNights
      const around = yield* temporaryFolder
      const copy = join(around, "deep", "deeper", "drop")
      mkdirSync(copy, { recursive: true })
      const run = exportTo(copy, { tables: ["products"] })
      yield* Effect.provideContext(run, services)
      const text = readFileSync(join(copy, name), "utf8")
      for (const { document, said } of hostileCases(JSON.parse(text), join(around, "escaped"), few)) {
        writeFileSync(join(copy, name), JSON.stringify(document))
        const both = Effect.all([isDefect(verifyDrop(copy)), isDefect(run)])
        assert.deepStrictEqual(yield* Effect.provideContext(both, services), [false, false], said)
        assert.deepStrictEqual([readdirSync(around), readdirSync(join(around, "deep/deeper"))], [["deep"], ["drop"]])
      }
    })
})
