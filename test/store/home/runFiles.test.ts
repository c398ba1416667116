import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { newRunId, runsWithReport } from "../../../src/store/home/newRunId.ts"
import { emptyHome } from "../lake/handMadeReading.ts"

it.effect("files beside reports whose names no run can have are no runs, and stop none", () =>
  Effect.gen(function* () {
    const { runs } = yield* Home
    mkdirSync(runs, { recursive: true })
    for (const name of ["a\\b.json", ".json", "..json", "notes.txt", "r1.json", "99991399T999999999Z-ffff.json"])
      writeFileSync(join(runs, name), "{}")
    assert.deepStrictEqual((yield* runsWithReport).toSorted(), ["99991399T999999999Z-ffff", "r1"])
    assert.match(yield* newRunId, /^19700101T000000000Z-[0-9a-f]{4}$/)
  }).pipe(Effect.provide(emptyHome))
)
