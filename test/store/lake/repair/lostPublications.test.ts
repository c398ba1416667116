import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { Home } from "../../../../src/store/home/Home.ts"
import { nightsOfLake, snapshotsOfLake } from "../../../../src/store/lake/repair/lostPublications.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { effect } from "../../../support/suite.ts"

effect("rows of a lake that another program changed are reported and left out, and the others count", () =>
  Effect.gen(function* () {
    yield* publishNights([1, 2].map((low) => ({ products: [card(1, { name: `Eel ${low}` })] })))
    const { lake } = yield* Home
    const instance = yield* Effect.promise(() => DuckDBInstance.create(lake))
    const connection = yield* Effect.promise(() => instance.connect())
    yield* Effect.promise(() =>
      connection.run(
        "update nights set seen_at = 'infinity' where place = 1; update snapshots set snapshot = 'a/b' where is_current"
      )
    )
    connection.closeSync()
    instance.closeSync()
    const told: Array<string> = []
    const [nights, snapshots] = yield* Effect.all([nightsOfLake, snapshotsOfLake]).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => void told.push(String(message)))]))
    )
    assert.deepStrictEqual(
      nights.map(({ at }) => at),
      ["2026-05-02T03:00:00.000Z"]
    )
    assert.deepStrictEqual(
      snapshots.map(({ isCurrent }) => isCurrent),
      [false]
    )
    assert.match(told[0] ?? "", /^lake\.duckdb has a row that no night wrote: .*"seen_at":"infinity"/)
    assert.match(told[1] ?? "", /^lake\.duckdb has a row that no night wrote: .*"snapshot":"a\/b"/)
  }).pipe(Effect.provide(emptyHome))
)
