import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { live } from "../support/suite.ts"
import { plantedBugs } from "./plantedBugs.ts"
import { simulate } from "./simulated.ts"

/** Histories have too few rollbacks to find it within 2,000. */
const notFoundYet = new Set(["a retry creates twice"])

for (const [bug, { kind }] of Object.entries(plantedBugs))
  live.skipIf(notFoundYet.has(bug))(`histories find: ${bug}`, () => {
    const histories = kind === "nights" ? ["--nights", "8", "--seeds", "100"] : ["--kind", kind, "--seeds", "2000"]
    return Effect.map(simulate("--bug", bug, ...histories), ({ code, said }) => {
      assert.strictEqual(code, 1, said)
      assert.match(said, /^seed \d+ /m)
    })
  })
