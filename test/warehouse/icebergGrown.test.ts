import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { atOnce } from "../../src/warehouse/drop/PlacePartition.ts"
import { fileCatalogue } from "../../src/warehouse/formats/iceberg/fileCatalogue.ts"
import { icebergTables } from "../../src/warehouse/formats/iceberg/icebergTables.ts"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { leftAlone, exportTo, temporaryFolder } from "./Dropped.ts"
import { exportAsBefore, today } from "./exportAsBefore.ts"
import { dayOf, FourNights, nightId } from "./FourNights.ts"
import { liveFiles, metadataOf } from "./icebergReader.ts"

const only = { tables: ["products"] }
const fromDay2 = { span: { since: dayOf(2), until: null, backfill: false } }

layer(FourNights.layer, { excludeTestServices: true })("an Iceberg table", (it) => {
  it.effect("grows by columns under ids of their own; files that lack them stay as they are", () =>
    Effect.gen(function* () {
      const { drop, services } = yield* FourNights
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        yield* exportTo(folder, { format: "iceberg", tables: ["games"], ...fromDay2 })
        yield* exportAsBefore(folder, drop, (to, stage) =>
          Effect.succeed(atOnce(icebergTables(to, fileCatalogue(to), stage).place))
        )
        const before = metadataOf(join(folder, "products"))
        yield* exportTo(folder, { ...only, ...fromDay2 })
        const after = metadataOf(join(folder, "products"))
        const columns = today?.columns ?? []
        assert.deepStrictEqual(
          after.schemas.map(({ fields }) => fields.map(({ id, name }) => `${id} ${name}`)),
          [columns.slice(0, -3), columns].map((some) => some.map(({ fieldId, name }) => `${fieldId} ${name}`))
        )
        assert.strictEqual(after["current-schema-id"], 1)
        assert.deepStrictEqual(after.snapshots[0], before.snapshots[0])
        const files = liveFiles(after).map(({ file_path: path }) => sqlText(path))
        const last = columns.at(-3)?.name ?? ""
        const rows = yield* fileRows(
          `select snapshot_id as night, count(*)::int as n, count("${last}") > 0 as has
           from read_parquet([${files.join(", ")}], union_by_name = true, hive_partitioning = false) group by night order by night`
        )
        assert.deepStrictEqual(
          rows,
          [1, 2, 3, 4].map((place) => ({ night: nightId(place), n: place + 1, has: place > 1 }))
        )
      }).pipe(Effect.provideContext(services))
    })
  )

  it.effect("whose columns another program changed is left alone, and a sentence says why", () =>
    Effect.gen(function* () {
      const { services } = yield* FourNights
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        yield* exportTo(folder, { format: "iceberg", ...only, span: { since: null, until: dayOf(1), backfill: true } })
        const path = join(folder, "products/metadata/v2.metadata.json")
        const text = readFileSync(path, "utf8")
        writeFileSync(
          path,
          text.replace(/"fields":\[/, `"fields":[{"id":99,"name":"note","required":false,"type":"string"},`)
        )
        const refused = yield* leftAlone(folder, only)
        assert.match(
          refused,
          /^The Iceberg table products has a column note \(id 99, string\) that this version of Cardlake does not write\. Update Cardlake, or take/
        )
        writeFileSync(path, text.replaceAll(folder, "/elsewhere"))
        const moved = yield* leftAlone(folder, only)
        assert.match(moved, /names a file outside .*: \/elsewhere\/.*\. Export there, or to an empty destination$/)
        writeFileSync(path, text.slice(0, 100))
        const broken = yield* leftAlone(folder, only)
        assert.match(broken, /has metadata that Cardlake cannot read: .*v2\.metadata\.json\. /)
      }).pipe(Effect.provideContext(services))
    })
  )

  it.effect("takes one of two commits at the same moment and loses nothing; an export whose commit lost says so", () =>
    Effect.gen(function* () {
      const { services } = yield* FourNights
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        yield* exportTo(folder, {
          format: "iceberg",
          tables: ["games"],
          span: { since: null, until: dayOf(1), backfill: true }
        })
        const both = yield* Effect.all([Effect.result(exportTo(folder, only)), Effect.result(exportTo(folder, only))], {
          concurrency: 2
        })
        const lost = both.flatMap((result) => (result._tag === "Failure" ? [result.failure.message] : []))
        for (const message of lost)
          assert.match(message, /Somebody else committed to the Iceberg table .* Run it again$/)
        yield* exportTo(folder, only)
        const products = metadataOf(join(folder, "products"))
        assert.deepStrictEqual(
          products.snapshots.map(({ summary }) => `${summary["operation"]} ${summary["cardlake.dt"]}`),
          [1, 2, 3, 4].map((place) => `append ${dayOf(place)}`)
        )
        assert.lengthOf(liveFiles(products), 4)
      }).pipe(Effect.provideContext(services))
    })
  )
})
