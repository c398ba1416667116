import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, fieldsOf } from "../Fact.ts"
import { answered, readList, readText, refused, all, at, textAt } from "../reading/ask.ts"
import { day, maybeAbsent, number, oneOf } from "../reading/kinds.ts"

const operation = "GET /v1/products/{productId}/prices/history"

const path = "/v1/products/10007/prices/history"
const history = fieldsOf(
  "a row of the history",
  async ({ ask }) => await readList(ask(`GET ${path}?from=2026-03-01&to=2026-03-31`), "data")
)

/** The history of a product's prices. */
export const priceHistory: ReadonlyArray<Fact> = [
  ...history(day, "date", ""),
  ...history(oneOf("sourceEur", "sourceUsd"), "marketplace", ""),
  ...history(oneOf("Standard", "Foil"), "finish", ""),
  ...history(maybeAbsent(number), "low mid high marketValue", ""),
  fact(operation, "one row a day, source and finish, oldest first", async ({ ask }) => {
    const rows = await readList(ask(`GET ${path}?from=2026-03-01&to=2026-03-31`), "data")
    const keys = rows.map((row) => ["date", "marketplace", "finish"].map((key) => textAt(row, key)).join(" "))
    equal(new Set(keys).size, keys.length)
    const dates = all(rows, "*.date").map(String)
    deepEqual(dates, dates.toSorted())
    ok(new Set(dates).size >= 2)
  }),
  ...[
    ["marketplace=sourceUsd", "marketplace", "sourceUsd"],
    ["finish=Foil", "finish", "Foil"]
  ].map(([query = "", key = "", value]) =>
    fact(operation, `?${query} finds its rows alone`, async ({ ask }) => {
      const found = await answered(ask(`GET ${path}?from=2026-03-01&to=2026-03-31&${query}`))
      deepEqual([...new Set(all(found, `data.*.${key}`))], [value])
    })
  ),
  fact(operation, "from and to are days, both included", async ({ ask }) => {
    const found = await answered(ask(`GET ${path}?from=2026-03-01&to=2026-03-01`))
    deepEqual(
      [at(found, "from"), at(found, "to"), [...new Set(all(found, "data.*.date"))]],
      ["2026-03-01", "2026-03-01", ["2026-03-01"]]
    )
    for (const query of ["from=yesterday", "from=2026-02-30", "to=2026-3-1"])
      await refused(ask(`GET ${path}?${query}`), 400)
  }),
  fact(operation, "to is today unless asked, from 30 days before", async ({ ask, control }) => {
    const today = (await readText(control("GET /sandbox/clock"), "now")).slice(0, 10)
    const found = await answered(ask(`GET ${path}`))
    const days = (Date.parse(textAt(found, "to")) - Date.parse(textAt(found, "from"))) / 86_400_000
    deepEqual([at(found, "to"), days], [today, 30])
  }),
  fact(operation, "it spans 365 days at most", async ({ ask }) => {
    await answered(ask(`GET ${path}?from=2025-03-01&to=2026-03-01`))
    await refused(ask(`GET ${path}?from=2025-02-28&to=2026-03-01`), 400)
  }),
  fact(operation, "the live block has no history", async ({ ask }) => {
    await refused(ask(`GET ${path}?marketplace=marketplace`), 400)
  })
]
