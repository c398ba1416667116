import { describe } from "@effect/vitest"
import { moneyIsExact } from "./exactMoney.ts"
import { live } from "../../../support/suite.ts"

/** Milliseconds for several nights in one test, on cores that other tests use as well. */
const busy = 90_000

describe("money, from the wire to Parquet and lake.duckdb", () => {
  live(
    "reads back equal where it fits four places, and is refused with its path where it does not, never rounded",
    () => moneyIsExact(3),
    busy
  )
})
