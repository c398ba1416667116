import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { emptyHome } from "../handMadeNights.ts"
import { callsOf, ends, inStory, rowsOf, sessionOver, tableMacros, type TableMacro } from "./macroCalls.ts"
import { LongStory, type Moment } from "./longStory.ts"
import { suite } from "../../../support/suite.ts"

const callsAt = (macro: TableMacro, { at, endsDay }: Moment) =>
  macro.parameters.some((parameter) => ends[parameter] === "instant" || (endsDay && ends[parameter] === "day"))
    ? callsOf(macro, (kind) => `'${kind === "instant" ? at : at.slice(0, 10)}'`)
    : []

/** Every call of a macro and every view, as a session in the zone answers, shown in UTC. */
const answersIn = Effect.fnUntraced(function* (zone: string) {
  const { moments } = yield* LongStory
  return yield* inStory(
    Effect.gen(function* () {
      const session = yield* sessionOver(moments.at(-1)?.lake ?? "", zone)
      // The instant is on the 8th in Honolulu, the day's timestamp on the 10th in Kiritimati.
      const end = { instant: "'2026-05-09 05:00'", day: "timestamptz '2026-05-09 23:30:00Z'" }
      const macros = (yield* tableMacros(session)).flatMap((macro) => callsOf(macro, (kind) => end[kind]))
      const views = yield* session.rows(
        "List the views",
        "select view_name as name from duckdb_views() where database_name = 'lake' and schema_name = 'main' order by 1"
      )
      const calls = [...macros, ...views.map(({ name }) => String(name))]
      for (const [place, call] of calls.entries()) {
        yield* session.run(call, `create or replace temp table answer${place} as from ${call}`)
      }
      yield* session.run("Show UTC", "set TimeZone = 'UTC'")
      return yield* Effect.forEach(calls, (call, place) =>
        Effect.map(rowsOf(session, `temp.answer${place}`), (rows) => [call, rows] as const)
      )
    })
  )
})

suite(Layer.provide(LongStory.layer, emptyHome), "every macro", (it) => {
  // Sixty instants take a loaded machine long.
  it("with a point in time says what a lake says that ends there", function* () {
    const { moments } = yield* LongStory
    /** Rows of each call, in the form that `formsOf` gives it. */
    const answersOf = (
      lake: string,
      until: ReadonlyArray<Moment>,
      formsOf: (call: string, macro: TableMacro, index: number) => ReadonlyArray<string>
    ) =>
      inStory(
        Effect.gen(function* () {
          const session = yield* sessionOver(lake)
          const forms = (yield* tableMacros(session)).flatMap((macro) =>
            until.flatMap((one) =>
              callsAt(macro, one).flatMap((call, index) =>
                formsOf(call, macro, index).map((form) => [call, form] as const)
              )
            )
          )
          return yield* Effect.forEach(forms, ([call, form]) =>
            Effect.map(rowsOf(session, form), (rows) => [call, rows] as const)
          )
        })
      )
    const whole = new Map(yield* answersOf(moments.at(-1)?.lake ?? "", moments, (call) => [call]))
    const answered = new Set<string>()
    const wrong: Array<string> = []
    for (const moment of moments) {
      // What ends there needs no `until`, and the verdicts that it stored are those that are computed later.
      const there = yield* answersOf(moment.lake, [moment], (call, macro, index) =>
        macro.parameters.includes("until") || macro.name === "price_trust"
          ? [call, callsOf(macro, () => null)[index] ?? ""]
          : [call]
      )
      for (const [call, rows] of there) {
        if (rows.length > 0) answered.add(call.split("(")[0] ?? "")
        const others = whole.get(call) ?? []
        const missing = rows.filter((row) => !others.includes(row))
        const added = others.filter((row) => !rows.includes(row))
        if (missing.length + added.length > 0) wrong.push(`${call}\n  then ${missing[0]}\n  now  ${added[0]}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
    const names = [...whole.keys()].map((call) => call.split("(")[0] ?? "")
    assert.deepStrictEqual(
      [...new Set(names)].filter((name) => !answered.has(name)),
      []
    )
  }, 1_800_000)

  it("has the same rows in every time zone, as every view has", function* () {
    const utc = yield* answersIn("UTC")
    assert.isAbove(utc.filter(([, rows]) => rows.length > 0).length, 45)
    for (const zone of ["Pacific/Honolulu", "Pacific/Kiritimati"]) {
      const other = new Map(yield* answersIn(zone))
      const wrong = utc.filter(([call, rows]) => JSON.stringify(rows) !== JSON.stringify(other.get(call)))
      assert.deepStrictEqual(
        wrong.map(([call]) => call),
        [],
        zone
      )
    }
  })
})
