import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../tried.ts"
import { live } from "../support/suite.ts"
import { simulate } from "./simulated.ts"

const agrees = (...args: ReadonlyArray<string>) =>
  Effect.map(simulate(...args), ({ code, said }) => assert.strictEqual(code, 0, said))

const histories = rounds(2000, 60)
const timeoutMillis = 600_000

live(`every oracle agrees with ${histories} histories`, () => agrees("--seeds", String(histories)), timeoutMillis)

live("every oracle agrees with the histories that showed a bug", () => agrees("--kept"), timeoutMillis)

const lives = rounds(2, 1)

live(
  `every oracle agrees with five whole nights, ${lives} times`,
  () => agrees("--nights", "5", "--seeds", String(lives)),
  timeoutMillis
)
