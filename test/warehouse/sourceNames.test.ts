import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { Home } from "../../src/store/home/Home.ts"
import { asUsual, didTo, exportTo, dayOf as day, fourNights } from "./FourNights.ts"
import { readAgainIn } from "./readAgain.ts"

fourNights("a drop's names of the sources", (it) => {
  const only = { tables: ["price_sources"] }
  const inSpec = [
    `_all ${day(1)} marketplace - Marketplace -`,
    `_all ${day(1)} sourceEur EUR Source EUR -`,
    `_all ${day(1)} sourceUsd USD Source USD -`
  ]
  const inLive = [
    `_all ${day(1)} marketplace - CardNexus https://cardnexus.com`,
    `_all ${day(1)} sourceEur EUR Cardmarket https://www.cardmarket.com`,
    `_all ${day(1)} sourceUsd USD TCGplayer https://www.tcgplayer.com`
  ]
  const row = "concat_ws(' ', game_id, snapshot_date, price_source, coalesce(currency, '-'), title, coalesce(url, '-'))"
  /** What a warehouse has after the printed script. */
  const loaded = Effect.fnUntraced(function* (drop: string) {
    const script = yield* loadScript(drop, "duckdb", null)
    return yield* Effect.promise(async () => {
      const connection = await (await DuckDBInstance.create(":memory:")).connect()
      await connection.run(script)
      const rows = await connection.runAndReadAll(`select ${row} from cardlake.price_sources order by all`)
      return rows.getRows().map(([text]) => String(text))
    })
  })

  it.copy(
    "lie once below game=_all, and are replaced in their place when a reading came in other words",
    function* (folder) {
      for (const format of ["files", "delta", "iceberg", "ducklake"] as const) {
        const drop = join(folder, format)
        assert.include(didTo(yield* exportTo(drop, { ...only, format })), `price_sources ${day(1)} added`)
        if (format === "files") {
          assert.deepStrictEqual(yield* loaded(drop), inSpec)
          rmSync(join(drop, "_state/_all.json"))
          assert.include(didTo(yield* exportTo(drop, only)), `price_sources ${day(1)} unchanged`)
        }
      }
      yield* readAgainIn("live", 4, `${day(5)}T12:00:00.000Z`)
      for (const format of ["files", "delta", "iceberg", "ducklake"] as const) {
        const drop = join(folder, format)
        assert.deepStrictEqual(
          didTo(yield* exportTo(drop, { ...only, ...asUsual })),
          [`price_sources ${day(1)} replaced`],
          format
        )
        assert.deepStrictEqual(didTo(yield* exportTo(drop, { ...only, ...asUsual })), [], format)
        assert.deepStrictEqual((yield* verifyDrop(drop)).faults, [], format)
      }
      assert.deepStrictEqual(yield* loaded(join(folder, "files")), inLive)
    }
  )

  it.copy("stay as they are where there is no lake to take them from", function* (folder) {
    yield* exportTo(folder, only)
    rmSync((yield* Home).lake)
    assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...only, ...asUsual })), [])
    assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
    assert.deepStrictEqual(yield* loaded(folder), inSpec)
  })
})
