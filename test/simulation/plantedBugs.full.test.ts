import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { live } from "../support/suite.ts"
import { plantedBugs } from "./plantedBugs.ts"
import { simulate } from "./simulated.ts"

for (const [bug, { kind }] of Object.entries(plantedBugs))
  live(`histories find: ${bug}`, () => {
    const histories = kind === "nights" ? ["--nights", "8", "--seeds", "100"] : ["--kind", kind, "--seeds", "2000"]
    return Effect.map(simulate("--bug", bug, ...histories), ({ code, said }) => {
      assert.strictEqual(code, 1, said)
      assert.match(said, /^seed \d+ /m)
    })
  })
