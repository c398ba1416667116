import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CustomId } from "../../../src/market/contract/inventory/InventoryLine.ts"

describe("a customId", () => {
  it("is a text of 1 to 255 characters", () => {
    const isCustomId = Schema.is(CustomId)
    assert.deepStrictEqual(["", "a", "a".repeat(255), "a".repeat(256), null].map(isCustomId), [
      false,
      true,
      true,
      false,
      false
    ])
    // Each is one character of two UTF-16 units.
    assert.deepStrictEqual(["🂡".repeat(255), "🂡".repeat(256)].map(isCustomId), [true, false])
  })
})
