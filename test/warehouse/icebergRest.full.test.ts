import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { compactDrop } from "../../src/warehouse/compactDrop.ts"
import { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { hasCatalogue, serveCatalogue } from "./catalogue/serveCatalogue.ts"
import { asUsual, exportTo, temporaryFolder, dayOf, FourNights, nightId } from "./FourNights.ts"
import { exportEveryChange, fromDay2 } from "./exportEveryChange.ts"
import { liveFiles, type ReadMetadata } from "./icebergReader.ts"
import { days, idOfDay, inMonths, MonthsOfNights } from "./MonthsOfNights.ts"

class Served extends Context.Service<Served, string>()("cardlake/test/Served") {
  static readonly layer = Layer.effect(Served, serveCatalogue)
}

/** Runs in a copy of the four nights' home that exports to the catalogue, with an empty folder. */
const inNamespace = <A, E, R>(namespace: string, run: (folder: string, address: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const address = yield* Served
    const settings = { ICEBERG_REST_URL: address, ICEBERG_NAMESPACE: namespace }
    const services = yield* FourNights.copyTo(yield* temporaryFolder, settings)
    const tables = `${address}/v1/namespaces/${namespace}/tables`
    return yield* Effect.provideContext(run(yield* temporaryFolder, tables), services)
  })

/** What the catalogue has of a table, asked without Cardlake. */
const tableIn = (tables: string, name: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${tables}/${name}`)
    return ((await answer.json()) as { readonly metadata: ReadMetadata }).metadata
  })

const productsOfNights = (metadata: ReadMetadata, snapshotId?: number) => {
  const files = liveFiles(metadata, snapshotId).map(({ file_path: path }) => sqlText(path))
  const last = metadata.schemas.at(-1)?.fields.at(-3)?.name ?? ""
  return fileRows(
    `select snapshot_id as night, count(*)::int as n, count("${last}") > 0 as has
     from read_parquet([${files.join(", ")}], union_by_name = true, hive_partitioning = false) group by night order by night`
  )
}

describe.skipIf(!hasCatalogue)("in Apache's REST catalogue", () => {
  layer(Layer.mergeAll(FourNights.layer, MonthsOfNights.layer, Served.layer), { excludeTestServices: true })((it) => {
    it.effect("a table grows, has a day replaced and nights taken back, and earlier snapshots can still be read", () =>
      inNamespace(
        "changed",
        Effect.fnUntraced(function* (folder, tables) {
          yield* exportEveryChange(folder, "iceberg")
          const products = yield* tableIn(tables, "products")
          assert.deepStrictEqual(
            products.snapshots.map(({ summary }) => `${summary["operation"]} ${summary["cardlake.dt"]}`),
            [
              ...[1, 2, 3, 4].map((place) => `append ${dayOf(place)}`),
              `overwrite ${dayOf(4)}`,
              ...[3, 4].map((place) => `delete ${dayOf(place)}`)
            ]
          )
          const night = (place: number) => ({ night: nightId(place), n: place + 1, has: place > 1 })
          assert.deepStrictEqual(yield* productsOfNights(products), [night(1), night(2)])
          const beforeReplay = products.snapshots[3]?.["snapshot-id"]
          assert.deepStrictEqual(yield* productsOfNights(products, beforeReplay), [1, 2, 3, 4].map(night))
          // The destination remembers its namespace.
          const settings = yield* IcebergSettings
          const verified = yield* Effect.provideService(verifyDrop(folder), IcebergSettings, {
            ...settings,
            namespace: "another"
          })
          // That day was put into the table as an older release would, past the drop's state.
          const unknown = verified.faults.map(({ partition }) => partition)
          assert.deepStrictEqual(unknown, [`products, game=${gameId}, dt=${dayOf(1)}`])
          const before = yield* tableIn(tables, "nights")
          yield* exportTo(folder, fromDay2)
          assert.deepStrictEqual(yield* tableIn(tables, "nights"), before)
        })
      )
    )

    it.effect("tables are compacted: the catalogue knows both partitionings, and a day leaves a joined file", () =>
      Effect.gen(function* () {
        const address = yield* Served
        const productsIn = () => tableIn(`${address}/v1/namespaces/compacted/tables`, "products")
        const run = Effect.fnUntraced(function* (folder: string) {
          yield* exportTo(folder, { format: "iceberg", tables: ["products"] })
          const rows = yield* productsOfNights(yield* productsIn())
          yield* compactDrop(folder)
          const compacted = yield* productsIn()
          assert.strictEqual(compacted.snapshots.at(-1)?.summary["operation"], "replace")
          assert.lengthOf(liveFiles(compacted), 3)
          assert.deepStrictEqual(yield* productsOfNights(compacted), rows)
          yield* runRollback({ gameId, wanted: idOfDay(days[2]), why: null })
          yield* exportTo(folder, { ...asUsual, tables: ["products"] })
          assert.deepStrictEqual(yield* productsOfNights(yield* productsIn()), rows.slice(0, 3))
          assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
        })
        yield* inMonths(run, { ICEBERG_REST_URL: address, ICEBERG_NAMESPACE: "compacted" })
      })
    )

    it.effect("another destination's tables are refused, even those without rows", () =>
      inNamespace(
        "taken",
        Effect.fnUntraced(function* (folder, tables) {
          // The first night has no changes, so the table `changes` stays empty.
          yield* exportTo(folder, { format: "iceberg", span: { since: null, until: dayOf(1), backfill: true } })
          const refused = yield* Effect.flip(exportTo(yield* temporaryFolder, { format: "iceberg" }))
          const refusal =
            /^The Iceberg table nights is in http:\S+ for another destination: (.+)\. Export there, or set /
          assert.strictEqual(refusal.exec(refused.message)?.[1], folder)
          assert.deepStrictEqual((yield* tableIn(tables, "changes")).snapshots, [])
        })
      )
    )
  })
})
