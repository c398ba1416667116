import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync } from "node:fs"
import { SnapshotId } from "../../src/contract/Ids.ts"
import type { ExportedGame } from "../../src/export/drop/exportGame.ts"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { writeHeldBack } from "../../src/lake/snapshot/HeldBack.ts"
import { runRelease } from "../../src/run/runRelease.ts"
import { gameId } from "../lake/invented.ts"
import { fileRows } from "../lake/tableRows.ts"
import { dropRows, exportTo, temporaryFolder } from "./Dropped.ts"
import { dayOf, FourNights, nightId } from "./FourNights.ts"
import { corrected, laterSnapshot, replayLastNight } from "./laterSnapshot.ts"

const held = SnapshotId.make("20260503T120000000Z-0000")
const tables = 18

/** What became of partitions, by day. */
const didOf = ({ games }: { readonly games: ReadonlyArray<ExportedGame> }) => {
  const counts: Record<string, number> = {}
  for (const { did, dt } of games.flatMap(({ partitions }) => partitions)) {
    counts[`${dt} ${did}`] = (counts[`${dt} ${did}`] ?? 0) + 1
  }
  return counts
}

layer(FourNights.layer, { excludeTestServices: true })("an export", (it) => {
  it.effect("replaces the days that a replay or a release changed, and no other", () =>
    Effect.gen(function* () {
      const { drop } = yield* FourNights
      const services = yield* FourNights.copy
      const folder = yield* temporaryFolder
      cpSync(drop, folder, { recursive: true })
      const exporting = Effect.map(Effect.provideContext(exportTo(folder), services), didOf)
      const products = Effect.provideContext(
        fileRows(`select n.snapshot_id as snapshot, counts, count(product_id)::int as products
          from (${dropRows(folder, "nights")}) n left join (${dropRows(folder, "products")}) p using (snapshot_id)
          where n.snapshot_date >= '${dayOf(3)}' group by all order by 1`),
        services
      )

      yield* Effect.provideContext(replayLastNight, services)
      assert.deepStrictEqual(yield* exporting, { [`${dayOf(4)} replaced`]: tables })
      assert.deepStrictEqual(yield* products, [
        { snapshot: nightId(3), counts: true, products: 4 },
        { snapshot: nightId(4), counts: true, products: 5 },
        { snapshot: corrected, counts: true, products: 6 }
      ])

      const released = Effect.gen(function* () {
        const { folder: kept } = yield* laterSnapshot(held, 3, `${dayOf(3)}T12:00:00.000Z`)
        yield* writeHeldBack(kept, ["it looked odd"])
        yield* runRelease({ gameId, wanted: held, why: null, takesBack: true })
      })
      yield* Effect.provideContext(released, services)
      assert.deepStrictEqual(yield* exporting, {
        [`${dayOf(3)} replaced`]: tables,
        // Table nights once before all others, and once more in its place.
        [`${dayOf(4)} replaced`]: 1,
        [`${dayOf(4)} unchanged`]: 1,
        [`${dayOf(4)} emptied`]: tables - 1
      })
      assert.deepStrictEqual(yield* products, [
        { snapshot: nightId(3), counts: true, products: 4 },
        { snapshot: held, counts: true, products: 5 },
        { snapshot: nightId(4), counts: false, products: 0 },
        { snapshot: corrected, counts: false, products: 0 }
      ])
      assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(folder), services)).faults, [])
    })
  )
})
