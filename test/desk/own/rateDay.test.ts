import { testIn } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadRates } from "../../../src/store/lake/fx/loadRates.ts"
import { storeConfirmations } from "../../../src/store/lake/history/storeBeforePrune.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { ownSql } from "../../../src/desk/own/ownSql.ts"
import { idOf } from "../../idOf.ts"
import { emptyHome } from "../../store/lake/handMadeReading.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/publishedNights.ts"

const night = {
  completedAt: "2026-05-01T03:00:00.000Z",
  products: [card(1, { pricesByFinish: { Standard: { sourceUsd: { currency: "USD", marketValue: 11 } } } })]
}

testIn(emptyHome)(
  "a collection is worth what the rate of the last reading's UTC day says, though that reading found nothing new",
  function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake [files] "))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const text = "Date,USD\n2026-04-30,4\n2026-05-01,1.1\n2026-05-02,1.25\n2026-05-03,2\n"
    yield* loadRates(idOf("fx"), { source: "rates.csv", text, loadedAt: "2026-05-03T00:00:00Z" })
    yield* storeConfirmations(gameId, [{ gameId, snapshot: idOf("night0"), seenAt: "2026-05-02T23:30:00.000Z" }])
    yield* publishNights([night])
    const file = join(folder, "mine.csv")
    writeFileSync(file, "product_id,quantity\n1,1\n")
    yield* importCollection({ file, name: null, add: false, game: null, currency: null })
    const session = yield* openLake
    yield* session.run("Open the cards", (yield* ownSql) ?? "")
    for (const zone of ["UTC", "Pacific/Honolulu", "Pacific/Kiritimati"]) {
      yield* session.run("Go there", `set TimeZone = '${zone}'`)
      const worth = (asked: string) =>
        session.rows("Value", `select value::varchar as value from collection_totals(${asked})`)
      // 11 / 1.1, then 11 / 1.25
      assert.deepStrictEqual(yield* worth("ts := '2026-05-02 12:00'"), [{ value: "10.0000" }], zone)
      assert.deepStrictEqual(yield* worth("ts := '2026-05-03 12:00'"), [{ value: "8.8000" }], zone)
      assert.deepStrictEqual(yield* worth(""), [{ value: "8.8000" }], zone)
    }
  }
)
