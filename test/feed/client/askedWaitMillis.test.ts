import { assert, describe, it } from "@effect/vitest"
import { requiredWaitMillis } from "../../../src/feed/client/limiter/RateLimit.ts"

const now = Date.UTC(2026, 0, 1)

describe("askedWaitMillis", () => {
  const cases = [
    [{}, null],
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "7", "retry-after": "3" }, 7],
    [{ "retry-after": new Date(now + 5000).toUTCString() }, 5000],
    [{ "retry-after": new Date(now - 5000).toUTCString() }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-3 x" }, null],
    [{ "retry-after": "" }, null]
  ] as const
  for (const [headers, millis] of cases) {
    it(`${JSON.stringify(headers)} is ${millis}`, () => assert.strictEqual(requiredWaitMillis(headers, now), millis))
  }
})
