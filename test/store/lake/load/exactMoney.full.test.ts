import { describe } from "@effect/vitest"
import { moneyIsExact } from "./exactMoney.ts"
import { live } from "../../../support/suite.ts"

describe("money, from the wire to Parquet and lake.duckdb, many cases", () => {
  live("reads back equal or is refused, never rounded", () => moneyIsExact(40))
})
