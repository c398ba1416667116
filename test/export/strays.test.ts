import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { verifiedText } from "../../pipelines/print/exportText.ts"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { Home } from "../../src/lake/home/Home.ts"
import { runRollback } from "../../src/run/runRollback.ts"
import { gameId } from "../lake/invented.ts"
import { cardlake } from "../pipelines/cli.ts"
import { asUsual, didTo, exportTo } from "./Dropped.ts"
import { dayOf as day, FourNights, inCopy, nightId } from "./FourNights.ts"
import { bucket, startStore } from "./Store.ts"

const few = { tables: ["products"] }
const placeOf = (place: number, table = "products") => `${table}/v=1/game=${gameId}/dt=${day(place)}`
const faultsOf = (folder: string) =>
  Effect.map(verifyDrop(folder), ({ faults }) => faults.map(({ partition, what }) => `${partition}: ${what}`))
const put = (path: string, text = "somebody's") => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

interface State {
  readonly days: Record<string, { tables: Record<string, string>; sha256?: Record<string, string> }>
}
const changeJson = <A>(path: string, change: (read: A) => void) => {
  const read = JSON.parse(readFileSync(path, "utf8")) as A
  change(read)
  writeFileSync(path, JSON.stringify(read))
}
const statePath = (folder: string) => join(folder, `_state/${gameId}.json`)

layer(FourNights.layer, { excludeTestServices: true })("--verify", (it) => {
  it.effect(
    "names a partition whose folder is another day's, another game's or an earlier one; an export mends it",
    () =>
      inCopy(
        Effect.fnUntraced(function* (folder) {
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
            `${placeOf(1)}: its _manifest.json is that of products/v=1/game=emberfall/dt=${day(1)}`,
            `${placeOf(3)}: its _manifest.json is that of ${placeOf(2)}`,
            `${placeOf(4)}: its _manifest.json names another file than _state/${gameId}.json: one of an earlier or a later export`
          ])
          assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...few, ...asUsual })), [
            `nights ${day(4)} unchanged`,
            `products ${day(1)} replaced`,
            `products ${day(3)} replaced`,
            `products ${day(4)} emptied`
          ])
          assert.deepStrictEqual(yield* faultsOf(folder), [])
        })
      )
  )

  it.effect("names rows of another day even where manifest, sum and state agree", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, few)
        cpSync(join(folder, placeOf(2)), join(folder, placeOf(3)), { recursive: true })
        changeJson<{ dt: string; sha256: string; snapshots: Array<string> }>(
          join(folder, placeOf(3), "_manifest.json"),
          (read) => {
            Object.assign(read, { dt: day(3), snapshots: [nightId(3)] })
            changeJson<State>(statePath(folder), ({ days }) => {
              Object.assign(days[day(3)]?.sha256 ?? {}, { products: read.sha256 })
            })
          }
        )
        assert.deepStrictEqual(yield* faultsOf(folder), [
          `${placeOf(3)}: 3 of its rows are of another game, day or night`
        ])
      })
    )
  )

  it.effect(
    "names what does not belong to the drop; an export removes what a manifest of ours proves, and nothing else",
    () =>
      inCopy(
        Effect.fnUntraced(function* (folder) {
          yield* exportTo(folder)
          const isThere = (path: string) => existsSync(join(folder, path))
          // Not in the state, but Cardlake's own by its manifest: that of a game which the drop has not, of a day that is over.
          const own = `products/v=1/game=${gameId}/dt=2020-01-01`
          cpSync(join(folder, placeOf(1)), join(folder, own), { recursive: true })
          changeJson<{ dt: string }>(join(folder, own, "_manifest.json"), (read) => {
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
            `does not belong to the drop. Remove it with: rm ${flag}'${folder}/${path}'`
          const foreign = [
            `_staging/export-backup/: it ${removal("_staging/export-backup/", "-r ")}`,
            `games/v=1/game=${gameId}/dt=2020-01-03/: it ${removal(`games/v=1/game=${gameId}/dt=2020-01-03/`, "-r ")}`,
            `notes.txt: it ${removal("notes.txt")}`,
            `${copied}/: it ${removal(`${copied}/`, "-r ")}`,
            `${besides}: it ${removal(besides)}`,
            `products/v=1/game=o'dd/: it does not belong to the drop. Remove it with: rm -r '${folder}/products/v=1/game=o'\\''dd/'`
          ]
          const ours = `${own}/: it does not belong to the drop. Its own manifest says that Cardlake wrote it: the next export takes it in, or removes it`
          assert.deepStrictEqual((yield* faultsOf(folder)).toSorted(), [...foreign, ours].toSorted())

          const { root } = yield* Home
          const args = ["export", "--home", root, "--to", folder]
          // Of some tables only: what the others would take in is not known.
          yield* exportTo(folder, { ...few, ...asUsual })
          assert.isTrue(isThere(own))
          for (const _ of ["at once", "as long as they are there"]) {
            const { code, stdout } = yield* Effect.promise(() => cardlake(args))
            assert.strictEqual(code, 4)
            for (const one of foreign) assert.include(stdout, one.replace(": it does", " does"))
            assert.isFalse(isThere(own))
            assert.isTrue(isThere(`${copied}/part-00000.parquet`) && isThere(besides) && isThere("notes.txt"))
          }
          for (const one of foreign) execFileSync("sh", ["-c", one.slice(one.indexOf("with: ") + "with: ".length)])
          assert.strictEqual((yield* Effect.promise(() => cardlake(args))).code, 0)
          assert.deepStrictEqual(yield* faultsOf(folder), [])
          assert.isTrue(isThere(placeOf(1)) && isThere("another drop/drop.json") && isThere(".DS_Store"))
        })
      )
  )

  it.effect(
    "takes days that an older copy of the state does not know for Cardlake's own, and the export takes them in",
    () =>
      inCopy(
        Effect.fnUntraced(function* (folder) {
          yield* exportTo(folder)
          changeJson<State>(statePath(folder), ({ days }) => {
            delete days[day(3)]
            delete days[day(4)]
          })
          const { faults } = yield* verifyDrop(folder)
          assert.lengthOf(faults, 2 * 18)
          for (const { what } of faults) assert.match(what, /the next export takes it in, or removes it$/)
          yield* exportTo(folder, asUsual)
          assert.deepStrictEqual(yield* faultsOf(folder), [])
        })
      )
  )

  for (const format of ["iceberg", "delta", "ducklake"] as const) {
    it.effect(
      `names files and days that do not belong to ${format} tables, and rows that the state does not know`,
      () =>
        inCopy(
          Effect.fnUntraced(function* (folder) {
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
            const named = [
              `${below}${day(2)}/part-1.parquet`,
              `${below}2020-01-01/`,
              "products/game_id=other/"
            ].toSorted()
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

            changeJson<State>(statePath(folder), ({ days }) => {
              const [second, third] = [days[day(2)], days[day(3)]]
              if (second !== undefined) delete second.tables["products"]
              if (third?.sha256 !== undefined) third.sha256["products"] = "0".repeat(64)
            })
            const said = (yield* faultsOf(folder)).toSorted()
            assert.lengthOf(said, 2)
            assert.match(
              said[0] ?? "",
              /^products, game=hollowmere, dt=2026-05-02: the table has it, but not the drop's state\..*: delete from products where game_id = 'hollowmere' and snapshot_date = '2026-05-02'$/
            )
            assert.match(
              said[1] ?? "",
              /^products, game=hollowmere, dt=2026-05-03: its rows are not those that _state\/hollowmere.json names/
            )
            yield* exportTo(folder, { ...few, ...asUsual })
            assert.deepStrictEqual(yield* faultsOf(folder), [])
          })
        )
    )
  }

  it.effect("names a file that lies in another day's folder of a table", () =>
    inCopy(
      Effect.fnUntraced(function* (folder) {
        yield* exportTo(folder, { ...few, format: "delta" })
        const of = (place: number) => join(folder, `products/game_id=${gameId}/snapshot_date=${day(place)}`)
        renameSync(of(2), `${of(2)} away`)
        cpSync(of(3), of(2), { recursive: true })
        rmSync(`${of(2)} away`, { recursive: true })
        const said = yield* faultsOf(folder)
        assert.strictEqual(said[0], `products, game=${gameId}, dt=${day(2)}: its file is gone`)
        assert.match(
          said[1] ?? "",
          /^products\/game_id=hollowmere\/snapshot_date=2026-05-02\/: it does not belong to the drop\. Remove it with: rm -r /
        )
      })
    )
  )

  it.effect("names them in a bucket, with the command that removes them there", () =>
    Effect.gen(function* () {
      const { services } = yield* FourNights
      const store = yield* startStore
      const to = `s3://${bucket}/lake`
      const run = (more = {}) => Effect.provideContext(exportTo(to, more), services)
      const verify = Effect.provideContext(verifyDrop(to), services)
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
          what: `it does not belong to the drop. Remove it with: aws s3 rm --recursive ${to}/products/v=1/game=${gameId}/dt=2020-01-01/`
        }
      ])
      assert.match(verifiedText(yield* verify), /aws s3 rm --recursive/)
      assert.lengthOf((yield* run(asUsual)).strays, 1)
    })
  )
})
