import { describe } from "@effect/vitest"
import { moneyIsExact } from "./exactMoney.ts"
import { live } from "../../../support/suite.ts"
import { rounds } from "../../../tried.ts"

describe("money, from the wire to Parquet and lake.duckdb", () => {
  live(
    "reads back equal where it fits four places, and is refused with its path where it does not, never rounded",
    () => moneyIsExact(rounds(40, 3))
  )
})
