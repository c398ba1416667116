import { describe, it } from "@effect/vitest"
import { moneyIsExact } from "./exactMoney.ts"

describe("money, from the wire to Parquet and lake.duckdb", () => {
  it.live(
    "reads back equal where it fits four places, and is refused with its path where it does not, never rounded",
    () => moneyIsExact(3)
  )
})
