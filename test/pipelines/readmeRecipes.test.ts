import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { runFx } from "../../pipelines/runFx.ts"
import { queryTable } from "../../pipelines/runQuery.ts"
import { showing } from "../lake/movedClock.ts"
import { marketplaceAndHome } from "./nights.ts"

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const readme = readFileSync(place("README.md"), "utf8")
const days = ["2026-08-14", "2026-08-20", "2026-08-21", "2026-08-24"]

const recipes = [...readme.matchAll(/^\*\*(.+)\*\*\n\n```sql\n([\s\S]*?)\n```\n\n```txt\n([\s\S]*?)\n```$/gm)]

it.live(
  "the README's ten questions have the answers it shows",
  () =>
    Effect.gen(function* () {
      const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue: place("data/sample") })
      yield* Effect.provideContext(runFx(place("data/sample/eurofxref.csv")), services)
      for (const day of days) {
        if (day !== days[0]) yield* sandbox.deploy("emberfall")
        yield* night("emberfall").pipe(showing(Date.parse(`${day}T05:30:00Z`)))
      }
      assert.strictEqual(recipes.length, 10)
      for (const [, question = "", sql = "", answer = ""] of recipes) {
        const printed = yield* Effect.provideContext(queryTable(sql, { allowFiles: true }), services)
        assert.strictEqual(printed.replaceAll(/ +$/gm, ""), answer, question)
      }
    }),
  60_000
)
