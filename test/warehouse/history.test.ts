import { suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { Home } from "../../src/store/home/Home.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { card, gameId } from "../store/lake/invented.ts"
import { emptyHome } from "../store/lake/handMadeNights.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { asUsual, didTo, dropRows, exportTo, temporaryFolder, dayOf as day, nightId, fourNights } from "./FourNights.ts"
import { publishNights } from "./publishNights.ts"
import { loadRates, readAgain } from "./readAgain.ts"
import { tried } from "../tried.ts"

const few = { tables: ["readings", "games"] }
const before = ["products", "source_prices"]
const noon = (place: number) => `${day(place)}T12:00:00.000Z`

/** Readings of a drop: day, hour, place of the night that the feed matched, whether it was nothing new. */
const readings = (folder: string) =>
  Effect.map(
    fileRows(`select day(snapshot_date) || ' ' || hour(read_at) || ' ' || snapshot_id[8] || ' ' || is_confirmation as row
      ${dropRows(folder, "readings")} order by read_at`),
    (rows) => rows.map(({ row }) => String(row))
  )
const ofFourNights = ["1 3 1 false", "2 3 2 false", "3 3 3 false", "4 3 4 false"]

const formats = tried(["files", "delta", "iceberg", "ducklake"] as const, (one) => one === "files" || one === "delta")

fourNights("a drop's readings", (it) => {
  it.copy("have a night that found nothing new, on a day on which nothing else is written", function* (folder) {
    const some = { ...few, ...asUsual }
    yield* exportTo(folder, few)
    yield* readAgain(4, noon(4), noon(5), `${day(5)}T18:00:00.000Z`)
    assert.deepStrictEqual(didTo(yield* exportTo(folder, some)), [
      `readings ${day(4)} replaced`,
      `readings ${day(5)} added`
    ])
    assert.deepStrictEqual(yield* readings(folder), [...ofFourNights, "4 12 4 true", "5 12 4 true", "5 18 4 true"])
    assert.deepStrictEqual(didTo(yield* exportTo(folder, some)), [])
    assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [])
  })

  it.copy(
    "lose those of a night that was taken back, also on days that had nothing else, whatever is lost",
    function* (folder) {
      yield* readAgain(4, noon(5))
      yield* exportTo(folder, few)
      rmSync(join(folder, "_state"), { recursive: true })
      yield* runRollback({ gameId, wanted: nightId(3), why: null })
      assert.deepStrictEqual(
        didTo(yield* exportTo(folder, { ...few, ...asUsual })).filter((did) => !did.endsWith("unchanged")),
        [
          `games ${day(4)} emptied`,
          `nights ${day(4)} replaced`,
          `readings ${day(4)} emptied`,
          `readings ${day(5)} emptied`
        ]
      )
      assert.deepStrictEqual(yield* readings(folder), ofFourNights.slice(0, 3))
    }
  )

  it.copy.full("are the same where there is no lake to take them from", function* (folder) {
    yield* readAgain(2, noon(2))
    rmSync((yield* Home).lake)
    yield* exportTo(folder, few)
    assert.deepStrictEqual(yield* readings(folder), ofFourNights.toSpliced(2, 0, "2 12 2 true"))
  })

  it.copy.full(
    "join a drop of an earlier release at its next export, with reused ids and rates, in every format",
    function* (folder) {
      yield* loadRates("Date,USD", `${day(2)},1.1`)
      for (const format of formats) {
        const drop = join(folder, format)
        yield* exportTo(drop, { format, tables: before, span: { since: day(3), until: null, backfill: false } })
        assert.isFalse(existsSync(join(drop, "readings")))
        const tables = [...before, "readings", "reused_ids", "fx_rates"]
        assert.deepStrictEqual(
          didTo(yield* exportTo(drop, { ...asUsual, tables })),
          [
            `fx_rates ${day(2)} added`,
            `readings ${day(3)} added`,
            `readings ${day(4)} added`,
            `reused_ids ${day(3)} ${format === "files" ? "added" : "unchanged"}`,
            `reused_ids ${day(4)} ${format === "files" ? "added" : "unchanged"}`
          ],
          format
        )
      }
    }
  )
})

suite(emptyHome, "a drop's reused ids", (it) => {
  it.full("have the night that found another product under an id", function* () {
    const named = (name: string, id: string) => ({
      products: [card(1, { name, nameSlug: name.toLowerCase(), printNumber: id, externalIds: { mtgId: id } })]
    })
    const at = (place: number, said: object) =>
      [nightId(place), { ...said, completedAt: `${day(place)}T03:00:00.000Z` }] as const
    yield* publishNights([at(1, named("Moth", "a")), at(2, named("Newt", "b")), at(3, named("Newt", "b"))])
    const folder = yield* temporaryFolder
    yield* exportTo(folder, { tables: ["reused_ids"] })
    assert.deepStrictEqual(
      yield* fileRows(`select snapshot_date::varchar as day, product_id, changed ${dropRows(folder, "reused_ids")}`),
      [{ day: day(2), product_id: "1", changed: "external_ids.mtgId,name,name_slug,print_number" }]
    )
  })
})

fourNights("a drop's exchange rates", (it) => {
  const rates = (folder: string) =>
    Effect.map(
      fileRows(`select game_id || ' ' || snapshot_date || ' ' || rate_date || ' ' || currency || ' ' || rate as row
        ${dropRows(folder, "fx_rates")} order by all`),
      (rows) => rows.map(({ row }) => String(row))
    )
  const only = { tables: ["fx_rates"] }

  it.copy("lie below game=_all, from six days before the drop's first day on, digit by digit", function* (folder) {
    yield* loadRates("Date,USD,JPY", "2026-05-04,1.089012,163.5", "2026-04-27,1.07,N/A", "2026-04-26,1.06,160")
    yield* exportTo(folder, { ...only, span: { since: day(3), until: null, backfill: false } })
    assert.deepStrictEqual(yield* rates(folder), [
      "_all 2026-04-27 2026-04-27 USD 1.070000",
      "_all 2026-05-04 2026-05-04 JPY 163.500000",
      "_all 2026-05-04 2026-05-04 USD 1.089012"
    ])
    const manifest = readFileSync(join(folder, "fx_rates/v=1/game=_all/dt=2026-05-04/_manifest.json"), "utf8")
    assert.deepInclude(JSON.parse(manifest), { rows: 2, snapshots: [], sums: { rate: "164.589012" } })
  })

  it.copy(
    "of a day are replaced when the bank corrects one, and stay when they are only loaded again",
    function* (folder) {
      const lines = ["Date,USD", "2026-05-04,1.08", "2026-04-30,1.07"]
      yield* loadRates(...lines)
      yield* exportTo(folder, only)
      yield* loadRates(...lines)
      assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...only, ...asUsual })), [])
      yield* loadRates("Date,USD", "2026-05-05,1.09", "2026-04-30,1.075")
      assert.deepStrictEqual(didTo(yield* exportTo(folder, { ...only, ...asUsual })), [
        "fx_rates 2026-04-30 replaced",
        "fx_rates 2026-05-05 added"
      ])
      assert.deepStrictEqual(yield* rates(folder), [
        "_all 2026-04-30 2026-04-30 USD 1.075000",
        "_all 2026-05-04 2026-05-04 USD 1.080000",
        "_all 2026-05-05 2026-05-05 USD 1.090000"
      ])
      rmSync(join(folder, "_state/_all.json"))
      assert.deepStrictEqual(
        didTo(yield* exportTo(folder, { ...only, ...asUsual })),
        ["2026-04-30", "2026-05-04", "2026-05-05"].map((dt) => `fx_rates ${dt} unchanged`)
      )
    }
  )

  it.copy("are read back and mended like all that belongs to a game, in every format", function* (folder) {
    yield* loadRates("Date,USD", "2026-05-04,1.08", "2026-04-30,1.07")
    for (const format of formats) {
      const drop = join(folder, format)
      yield* exportTo(drop, { ...only, format })
      assert.deepStrictEqual((yield* verifyDrop(drop)).faults, [], format)
      const [file = ""] = globSync("fx_rates/**/*2026-04-30/*.parquet", { cwd: drop })
      rmSync(join(drop, file))
      const { faults } = yield* verifyDrop(drop)
      assert.deepStrictEqual(
        faults.map(({ what }) => what),
        ["its file is missing"],
        format
      )
      assert.deepStrictEqual(didTo(yield* exportTo(drop, { ...only, ...asUsual })), ["fx_rates 2026-04-30 replaced"])
      assert.deepStrictEqual((yield* verifyDrop(drop)).faults, [], format)
    }
  })
})
