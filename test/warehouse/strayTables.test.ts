import { assert } from "@effect/vitest"
import { hash } from "node:crypto"
import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifiedText } from "../../pipelines/print/exportText.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { changeDays, faultsOf, placeOf, put } from "./damagedDrop.ts"
import { asUsual, exportTo, dayOf as day, nightId, fourNights } from "./FourNights.ts"
import { bucket, startStore } from "./Store.ts"
import { tried } from "../tried.ts"

const few = { tables: ["products"] }

fourNights("--verify of tables", (it) => {
  for (const format of tried(["iceberg", "delta", "ducklake"] as const, (format) => format === "ducklake")) {
    it.copy(
      `names files and days that do not belong to ${format} tables, and rows that the state does not know`,
      function* (folder) {
        yield* exportTo(folder, { ...few, format })
        // Earlier versions are still named.
        yield* runRollback({ gameId, wanted: nightId(3), why: null })
        yield* exportTo(folder, { ...few, ...asUsual })
        assert.deepStrictEqual(yield* faultsOf(folder), [])
        const below =
          format === "iceberg" ? `products/data/game=${gameId}/dt=` : `products/game_id=${gameId}/snapshot_date=`
        put(join(folder, `${below}${day(2)}/part-1.parquet`))
        put(join(folder, `${below}2020-01-01/part-1.parquet`))
        put(join(folder, "products/game_id=other/x.parquet"))
        const named = [`${below}${day(2)}/part-1.parquet`, `${below}2020-01-01/`, "products/game_id=other/"].toSorted()
        assert.deepStrictEqual(
          (yield* verifyDrop(folder)).faults.map(({ partition }) => partition),
          named
        )
        const { strays } = yield* exportTo(folder, { ...few, ...asUsual })
        assert.deepStrictEqual(
          strays.map(({ path }) => path),
          named
        )
        for (const path of named) rmSync(join(folder, path), { recursive: true })
        assert.deepStrictEqual((yield* exportTo(folder, { ...few, ...asUsual })).strays, [])

        changeDays(folder, (days) => {
          const [second, third] = [days[day(2)], days[day(3)]]
          if (second !== undefined) delete second.tables["products"]
          if (third?.sha256 !== undefined) third.sha256["products"] = "0".repeat(64)
        })
        const faults = (yield* faultsOf(folder)).toSorted()
        assert.lengthOf(faults, 2)
        assert.match(
          faults[0] ?? "",
          /^products, game=hollowmere, dt=2026-05-02: the table has it, but the export's state file does not\..*: delete from products where game_id = 'hollowmere' and snapshot_date = '2026-05-02'$/
        )
        assert.match(
          faults[1] ?? "",
          /^products, game=hollowmere, dt=2026-05-03: its rows differ from _state\/hollowmere\.json/
        )
        yield* exportTo(folder, { ...few, ...asUsual })
        assert.deepStrictEqual(yield* faultsOf(folder), [])
      }
    )
  }

  it.copy(
    "of a day that an export began removes what Cardlake wrote for it and no table names, and nothing else",
    function* (folder) {
      const earlier = `${folder}/earlier`
      yield* exportTo(earlier, { ...few, format: "delta", compression: "zstd" })
      const to = join(folder, "drop")
      yield* exportTo(to, { ...few, format: "delta" })
      const path = (place: number) => `products/game_id=${gameId}/snapshot_date=${day(place)}`
      const copy = (from: number, into: number) => {
        const [name = ""] = readdirSync(join(earlier, path(from)))
        cpSync(join(earlier, path(from), name), join(to, path(into), name))
        return join(to, path(into), name)
      }
      const foreign = join(to, path(2), `${hash("sha256", "of another program")}.parquet`)
      writeFileSync(foreign, "of another program")
      const elsewhere = copy(1, 2)
      const dead = copy(4, 4)
      changeDays(to, (days) => {
        for (const one of [2, 4]) Object.assign(days[day(one)]?.tables ?? {}, { products: "unfinished" })
      })
      assert.deepStrictEqual((yield* exportTo(to, few)).strays, [])
      assert.deepStrictEqual([foreign, elsewhere, dead].map(existsSync), [true, true, false])
    }
  )

  it.copy("names a file that lies in another day's folder of a table", function* (folder) {
    yield* exportTo(folder, { ...few, format: "delta" })
    const of = (place: number) => join(folder, `products/game_id=${gameId}/snapshot_date=${day(place)}`)
    renameSync(of(2), `${of(2)} away`)
    cpSync(of(3), of(2), { recursive: true })
    rmSync(`${of(2)} away`, { recursive: true })
    const faults = yield* faultsOf(folder)
    assert.strictEqual(faults[0], `products, game=${gameId}, dt=${day(2)}: its file is missing`)
    assert.match(
      faults[1] ?? "",
      /^products\/game_id=hollowmere\/snapshot_date=2026-05-02\/[0-9a-f]{64}\.parquet: it does not belong to the export\. Delete it before the next export or --compact, which may use it, with: rm /
    )
  })

  it.home.full("names them in a bucket, with the command that removes them there", function* () {
    const store = yield* startStore
    const to = `s3://${bucket}/lake`
    const run = (more = {}) => exportTo(to, more)
    const verify = verifyDrop(to)
    yield* run({ ...few, ...asUsual })
    const copy = (from: string, path: string) => {
      const at = join(store.directory, bucket, "lake")
      cpSync(join(at, from), join(at, path), { recursive: true })
    }
    const files = ["part-00000.parquet", "_manifest.json", "_SUCCESS"]
    for (const name of files)
      for (const part of ["_S3rver_object", "_S3rver_metadata.json", "_S3rver_object.md5"])
        copy(`${placeOf(4)}/${name}.${part}`, `products/v=1/game=${gameId}/dt=2020-01-01/${name}.${part}`)
    assert.deepStrictEqual((yield* verify).faults, [
      {
        partition: `products/v=1/game=${gameId}/dt=2020-01-01/`,
        what: `it does not belong to the export. Delete it before the next export or --compact, which may use it, with: aws s3 rm --recursive ${to}/products/v=1/game=${gameId}/dt=2020-01-01/`
      }
    ])
    assert.match(verifiedText(yield* verify), /aws s3 rm --recursive/)
    assert.lengthOf((yield* run(asUsual)).strays, 1)
  })
})
