import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../tried.ts"
import { live } from "../support/suite.ts"
import { simulate } from "./simulated.ts"

const agrees = (...args: ReadonlyArray<string>) =>
  Effect.map(simulate(...args), ({ code, said }) => assert.strictEqual(code, 0, said))

const histories = rounds(2000, 40)
const timeoutMillis = 600_000

live(
  `every oracle agrees with ${histories} histories, and with those that showed a bug`,
  () => agrees("--kept", "--seeds", String(histories)),
  timeoutMillis
)

const nights = rounds(5, 2)

live(
  `every oracle agrees with ${nights} whole nights of each seed`,
  () => agrees("--nights", String(nights), "--seeds", String(rounds(2, 1))),
  timeoutMillis
)
