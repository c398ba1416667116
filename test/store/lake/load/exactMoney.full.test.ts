import { describe, it } from "@effect/vitest"
import { moneyIsExact } from "./exactMoney.ts"

describe("money, from the wire to Parquet and lake.duckdb, many cases", () => {
  it.live("reads back equal or is refused, never rounded", () => moneyIsExact(40))
})
