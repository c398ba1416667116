import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { Home } from "../../src/store/home/Home.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { cardlake } from "../pipelines/cli.ts"
import { changeDays, changeJson, faultsOf, placeOf, put } from "./damagedDrop.ts"
import { asUsual, didTo, dropIn, exportTo, dayOf as day, nightId, fourNights } from "./FourNights.ts"

const few = { tables: ["products"] }

fourNights("--verify", (it) => {
  it.copy(
    "names a partition whose folder is another day's, another game's or an earlier one; an export mends it",
    function* (folder) {
      yield* exportTo(folder, few)
      const earlier = join(folder, "..", "earlier")
      cpSync(join(folder, placeOf(4)), earlier, { recursive: true })
      yield* runRollback({ gameId, wanted: nightId(3), why: null })
      yield* exportTo(folder, { ...few, ...asUsual })
      assert.deepStrictEqual(yield* faultsOf(folder), [])

      cpSync(join(folder, placeOf(2)), join(folder, placeOf(3)), { recursive: true })
      cpSync(earlier, join(folder, placeOf(4)), { recursive: true })
      rmSync(earlier, { recursive: true })
      changeJson<{ game: string }>(join(folder, placeOf(1), "_manifest.json"), (read) => {
        read.game = "emberfall"
      })
      assert.deepStrictEqual(yield* faultsOf(folder), [
        `${placeOf(1)}: its _manifest.json belongs to products/v=1/game=emberfall/dt=${day(1)}`,
        `${placeOf(3)}: its _manifest.json belongs to ${placeOf(2)}`,
        `${placeOf(4)}: its _manifest.json names a different file than _state/${gameId}.json, from an earlier or later export`
      ])
      assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...few, ...asUsual })), [
        `nights ${day(4)} unchanged`,
        `products ${day(1)} replaced`,
        `products ${day(3)} replaced`,
        `products ${day(4)} emptied`
      ])
      assert.deepStrictEqual(yield* faultsOf(folder), [])
    }
  )

  it.copy("names rows of another day even where manifest, sum and state agree", function* (folder) {
    yield* exportTo(folder, few)
    cpSync(join(folder, placeOf(2)), join(folder, placeOf(3)), { recursive: true })
    changeJson<{ dt: string; sha256: string; snapshots: Array<string> }>(
      join(folder, placeOf(3), "_manifest.json"),
      (read) => {
        Object.assign(read, { dt: day(3), snapshots: [nightId(3)] })
        changeDays(folder, (days) => {
          Object.assign(days[day(3)]?.sha256 ?? {}, { products: read.sha256 })
        })
      }
    )
    assert.deepStrictEqual(yield* faultsOf(folder), [
      `${placeOf(3)}: 3 of its rows belong to another game, day or night`
    ])
  })

  it.copy(
    "names what does not belong to the export; an export removes what a manifest of ours proves, and nothing else",
    function* (folder) {
      yield* dropIn(folder)
      const isThere = (path: string) => existsSync(join(folder, path))
      // Not in the state, but Cardlake's own by its manifest: that of a game which the drop has not, of a day that is over.
      const partition = `products/v=1/game=${gameId}/dt=2020-01-01`
      cpSync(join(folder, placeOf(1)), join(folder, partition), { recursive: true })
      changeJson<{ dt: string }>(join(folder, partition, "_manifest.json"), (read) => {
        read.dt = "2020-01-01"
      })
      const copied = `products/v=1/game=${gameId}/dt=2020-01-02`
      cpSync(join(folder, placeOf(1)), join(folder, copied), { recursive: true })
      const besides = `${placeOf(2)}/part-00001.parquet`
      put(join(folder, besides))
      put(join(folder, `products/v=1/game=o'dd/dt=${day(1)}/part-00000.parquet`))
      mkdirSync(join(folder, `games/v=1/game=${gameId}/dt=2020-01-03`))
      put(join(folder, "_staging/export-backup/rows.parquet"))
      put(join(folder, "notes.txt"))
      put(join(folder, ".DS_Store"))
      yield* exportTo(join(folder, "another drop"), few)

      const removal = (path: string, flag = "") =>
        `does not belong to the export. Delete it before the next export or --compact, which may use it, with: rm ${flag}'${folder}/${path}'`
      const foreign = [
        `_staging/export-backup/: it ${removal("_staging/export-backup/", "-r ")}`,
        `games/v=1/game=${gameId}/dt=2020-01-03/: it ${removal(`games/v=1/game=${gameId}/dt=2020-01-03/`, "-r ")}`,
        `notes.txt: it ${removal("notes.txt")}`,
        `${copied}/: it ${removal(`${copied}/`, "-r ")}`,
        `${besides}: it ${removal(besides)}`,
        `products/v=1/game=o'dd/: it does not belong to the export. Delete it before the next export or --compact, which may use it, with: rm -r '${folder}/products/v=1/game=o'\\''dd/'`
      ]
      const ours = `${partition}/: it does not belong to the export. Its manifest shows that Cardlake wrote it. The next export adopts or deletes it`
      assert.deepStrictEqual((yield* faultsOf(folder)).toSorted(), [...foreign, ours].toSorted())

      const { root } = yield* Home
      const args = ["export", "--home", root, "--to", folder]
      // Of some tables only: what the others would take in is not known.
      yield* exportTo(folder, { ...few, ...asUsual })
      assert.isTrue(isThere(partition))
      for (const _ of ["at once", "as long as they are there"]) {
        const { code, stdout } = yield* Effect.promise(() => cardlake(args))
        assert.strictEqual(code, 4)
        for (const one of foreign) assert.include(stdout, one.replace(": it does", " does"))
        assert.isFalse(isThere(partition))
        assert.isTrue(isThere(`${copied}/part-00000.parquet`) && isThere(besides) && isThere("notes.txt"))
      }
      for (const one of foreign) execFileSync("sh", ["-c", one.slice(one.indexOf("with: ") + "with: ".length)])
      assert.strictEqual((yield* Effect.promise(() => cardlake(args))).code, 0)
      assert.deepStrictEqual(yield* faultsOf(folder), [])
      assert.isTrue(isThere(placeOf(1)) && isThere("another drop/drop.json") && isThere(".DS_Store"))
    }
  )

  it.copy.full(
    "takes days that an older copy of the state does not know for Cardlake's own, and the export takes them in",
    function* (folder) {
      yield* dropIn(folder)
      changeDays(folder, (days) => {
        delete days[day(3)]
        delete days[day(4)]
      })
      const { faults } = yield* verifyDrop(folder)
      assert.lengthOf(faults, 2 * 22)
      for (const { what } of faults) assert.match(what, /The next export adopts or deletes it$/)
      yield* exportTo(folder, asUsual)
      assert.deepStrictEqual(yield* faultsOf(folder), [])
    }
  )
})
