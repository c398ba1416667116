import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { Home, Current, readCurrent } from "../../src/store/home/Home.ts"
import { writeJson } from "../../src/store/home/jsonFile.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { asUsual, didTo, dropRows, exportTo, dayOf as day, nightId, fourNights } from "./FourNights.ts"
import { bucket, startStore } from "./Store.ts"

const few = { tables: ["products", "nights"] }
const loseState = (folder: string) => rmSync(join(folder, "_state"), { recursive: true })
const stateIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, `_state/${gameId}.json`), "utf8"))

fourNights("an export that finds its state of a game gone", (it) => {
  it.copy("rebuilds it from plain files, and still removes what a rollback took back", function* (folder) {
    yield* exportTo(folder, { ...few, span: { since: day(2), until: null, backfill: false } })
    yield* runRollback({ gameId, wanted: nightId(3), why: null })
    yield* exportTo(folder, { ...few, ...asUsual })
    const before = stateIn(folder)
    loseState(folder)
    const { faults } = yield* verifyDrop(folder)
    const found = faults.map(({ partition, what }) => `${partition}: ${what}`)
    assert.deepStrictEqual(found, [
      `_state/${gameId}.json: it is missing, so the exported nights of the game are unknown`
    ])
    const same = yield* exportTo(folder, { ...few, ...asUsual })
    assert.deepStrictEqual([same.games[0]?.partitions, stateIn(folder)], [[], before])

    yield* runRollback({ gameId, wanted: nightId(2), why: null })
    loseState(folder)
    yield* exportTo(folder, { ...few, ...asUsual })
    const [left] = yield* fileRows(
      `select min(snapshot_id) as first, max(snapshot_id) as last ${dropRows(folder, "products")}`
    )
    assert.deepStrictEqual(left, { first: nightId(2), last: nightId(2) })
    const nights = yield* fileRows(`select snapshot_id as night, counts ${dropRows(folder, "nights")} order by night`)
    assert.deepStrictEqual(nights, [
      { night: nightId(2), counts: true },
      { night: nightId(3), counts: false },
      { night: nightId(4), counts: false }
    ])
    assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
    assert.deepStrictEqual(
      readdirSync(join(folder, "products/v=1", `game=${gameId}`)),
      [day(2), day(3), day(4)].map((dt) => `dt=${dt}`)
    )
  })

  it.copy("takes days that the home no longer knows for another home's, and refuses", function* (folder) {
    yield* exportTo(folder, few)
    const home = yield* Home
    const { games, history } = yield* readCurrent
    const later = (id: string) => id > nightId(1)
    const published = (games[gameId]?.published ?? []).filter(later)
    yield* writeJson(home.current, Current, {
      games: { [gameId]: { snapshot: nightId(4), published } },
      history: history.filter(({ snapshot }) => later(snapshot))
    })
    loseState(folder)
    const { message } = yield* Effect.flip(exportTo(folder, { ...few, ...asUsual }))
    assert.include(message, `has a night of ${gameId} that this home did not publish (${nightId(1)})`)
  })

  it.home(
    "rebuilds it in a bucket, with money and times as text, by listing five tables' days of the game",
    function* () {
      const store = yield* startStore
      const run = exportTo(`s3://${bucket}/lake`, { ...few, decimals: "text" })
      yield* run
      const states = join(store.directory, bucket, "lake/_state")
      const state = join(states, `${gameId}.json._S3rver_object`)
      const before = readFileSync(state, "utf8")
      for (const name of readdirSync(states)) rmSync(join(states, name))
      store.state.requests.length = 0
      assert.deepStrictEqual(didTo(yield* run), [])
      assert.deepStrictEqual(JSON.parse(readFileSync(state, "utf8")), JSON.parse(before))
      const prefixes = store.state.requests.flatMap((request) => /[?&]prefix=([^& ]+)/.exec(request)?.[1] ?? [])
      assert.deepStrictEqual(
        prefixes.map(decodeURIComponent),
        ["nights", "readings", "backfilled_prices", "backfills", "backfill_refusals"].map(
          (table) => `lake/${table}/v=1/game=${gameId}/`
        )
      )
    }
  )

  it.copy(
    "refuses where the files do not tell, and in table formats: it takes no drop for an empty one",
    function* (folder) {
      const last = { span: { since: day(4), until: null, backfill: false } }
      yield* exportTo(folder, { tables: ["nights"], ...last })
      rmSync(join(folder, `nights/v=1/game=${gameId}/dt=${day(4)}/part-00000.parquet`))
      loseState(folder)
      const untold = yield* Effect.flip(exportTo(folder, { tables: ["nights"] }))
      const next =
        "nights that were rolled back could stay in the export. Restore it from a backup, or export to another destination"
      assert.include(untold.message, `_state/${gameId}.json is missing, and ${folder}/nights/v=1/`)
      assert.include(untold.message, `part-00000.parquet cannot be read. Without it, ${next}`)
      for (const format of ["delta", "iceberg", "ducklake"] as const) {
        const tables = join(folder, format)
        yield* exportTo(tables, { tables: ["nights"], format, ...last })
        loseState(tables)
        assert.lengthOf((yield* verifyDrop(tables)).faults, 1)
        const refused = yield* Effect.flip(exportTo(tables))
        assert.include(refused.message, `is missing, and ${format} tables cannot replace it. Without it, ${next}`)
      }
    }
  )
})
