import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { askConsole } from "../../../src/desk/explorer/console/askConsole.ts"
import { consoleLake } from "./consoleLake.ts"

const place = await consoleLake()
afterAll(place.remove)
const before = place.files()

const refused = (sql: string, seconds: number) =>
  Effect.runPromise(
    Effect.map(Effect.flip(askConsole({ lake: place.lake, own: null, sql }, seconds)), ({ message }) => message)
  )

describe.concurrent("the console stops", () => {
  const stopped = /took longer than 2 seconds|more memory/
  const endless: ReadonlyArray<string> = [
    "with recursive t(i) as (select 1 union all select i + 1 from t) select count(*) from t",
    "with recursive t(i) as (select repeat('x', 1000) union all select i || i from t) from t",
    "select i, hash(i) from range(1_250_000_000) r(i) order by hash(i)",
    "select count(*) from range(10_000_000) a, range(10_000_000) b where hash(a.range) = hash(b.range + 1)",
    "select sum(sqrt(i)) from range(1_000_000_000_000) r(i)",
    "select length(repeat('x', 4_000_000_000)) from range(8)",
    "select list(i) from range(10_000_000_000) r(i)"
  ]
  for (const sql of endless) {
    it(`after two seconds: ${sql}`, async () => assert.match(await refused(sql, 2), stopped), 10_000)
  }
})

it("the console still answers after all of this, and no file is left behind", async () => {
  assert.strictEqual(
    (await Effect.runPromise(askConsole({ lake: place.lake, own: null, sql: "from cards" }))).rows.length,
    2
  )
  assert.deepStrictEqual(place.files(), before)
})
