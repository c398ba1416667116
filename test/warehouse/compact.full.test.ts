import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, readFileSync, rmSync } from "node:fs"
import { compactDrop } from "../../src/warehouse/compactDrop.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { eachKill } from "../eachKill.ts"
import { gameId } from "../store/lake/invented.ts"
import { seededNumbers } from "../soak/soakPlan.ts"
import { exportTo, temporaryFolder } from "./FourNights.ts"
import { killedRename } from "./killedExports.ts"
import { days, idOfDay, inMonths, MonthsOfNights } from "./MonthsOfNights.ts"
import { rowsOfFiles, tablesFound } from "./tablesFound.ts"

const tables = ["products", "source_prices", "nights"]
const rounds = 3
const steps = 10

layer(MonthsOfNights.layer, { excludeTestServices: true })("compacting", (it) => {
  for (const { filesIn, format, versionsIn } of Object.values(tablesFound)) {
    const rowsIn = Effect.fnUntraced(function* (folder: string) {
      const found = tables.map((table) => rowsOfFiles(filesIn(folder, table)))
      return Object.fromEntries((yield* Effect.all(found)).map((rows, at) => [tables[at], rows]))
    })

    it.effect(`${format}: at random moments among late days, rollbacks and new nights is as if it had not been`, () =>
      Effect.forEach(
        Array.from({ length: rounds }, (_, round) => round + 1),
        // A home is as before at the end of its scope, and a rollback of one seed would leave the next one nothing to join.
        (seed) =>
          Effect.scoped(
            inMonths(
              Effect.fnUntraced(function* (folder) {
                const without = yield* temporaryFolder
                const random = seededNumbers(seed)
                const one = <A>(of: ReadonlyArray<A>) => of[Math.floor(random() * of.length)] as A
                const both = (options: Parameters<typeof exportTo>[1]) =>
                  Effect.all([exportTo(folder, { tables, ...options }), exportTo(without, { tables, ...options })])
                const from = one(days.slice(2))
                yield* both({ format, span: { since: from, until: null, backfill: false } })
                const done = [`since ${from}`]
                let joined = 0
                for (let step = 0; step < steps; step++) {
                  const what = one(["compact", "compact", "late", "rollback", "usual"])
                  if (what === "compact") {
                    // Few bytes are large here, so that files are joined in several groups, or stay.
                    const sizes = one([
                      { largeBytes: 64e6, enoughBytes: 128e6 },
                      { largeBytes: 12_000, enoughBytes: 14_000 }
                    ])
                    const compacted = yield* compactDrop(folder, sizes)
                    assert.deepStrictEqual(compacted.leftAlone, [], done.join(", "))
                    joined += compacted.tables.reduce((sum, table) => sum + table.joined, 0)
                  } else if (what === "rollback") {
                    const wanted = idOfDay(one(days))
                    // The night that is published already cannot be returned to.
                    yield* Effect.ignore(runRollback({ gameId, wanted, why: null }))
                    yield* both({ span: { since: null, until: null, backfill: false } })
                    done.push(wanted)
                  } else {
                    const since = what === "late" ? one(days) : null
                    yield* both({ span: { since, until: null, backfill: false } })
                  }
                  done.push(what)
                  const history = `seed ${seed}: ${done.join(", ")}`
                  assert.deepStrictEqual(yield* rowsIn(folder), yield* rowsIn(without), history)
                  assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [], history)
                }
                return joined
              })
            )
          )
      ).pipe(Effect.map((joined) => assert.isAbove(Math.max(...joined), 0)))
    )

    it.effect(`${format}: killed before, in or after a commit leaves all rows, and the next one ends the same`, () =>
      inMonths(
        Effect.fnUntraced(function* (folder) {
          yield* exportTo(folder, { format, tables })
          const saved = yield* temporaryFolder
          cpSync(folder, saved, { recursive: true })
          const rows = yield* rowsIn(folder)
          const run = (at: string) => killedRename(at, "export", "--to", folder, "--compact")
          const contents = () =>
            tables.map((table) =>
              filesIn(folder, table)
                .map((path) => readFileSync(path, "base64"))
                .sort()
            )
          yield* run("none")
          const versions = versionsIn(folder, "products").length
          const after = contents()
          const killed = yield* temporaryFolder
          const copy = (from: string, to: string) => {
            rmSync(to, { recursive: true })
            cpSync(from, to, { recursive: true })
          }
          // A day of a month that is joined changes, and days after it are taken back.
          for (const day of [days[4], days[3]]) yield* runRollback({ gameId, wanted: idOfDay(day), why: null })
          yield* exportTo(folder, { tables })
          const changed = yield* rowsIn(folder)
          assert.notDeepEqual(changed, rows)
          const kill = Effect.fnUntraced(function* (at: string) {
            copy(saved, folder)
            const where = yield* run(at)
            if (where === null) return false
            copy(folder, killed)
            assert.deepStrictEqual(yield* rowsIn(folder), rows, where)
            yield* run("none")
            assert.deepStrictEqual(yield* rowsIn(folder), rows, where)
            assert.deepStrictEqual(contents(), after, where)
            assert.strictEqual(versionsIn(folder, "products").length, versions, where)
            assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [], where)
            copy(killed, folder)
            for (const compacts of [false, true]) {
              if (compacts) yield* run("none")
              else assert.deepStrictEqual((yield* exportTo(folder, { tables })).strays, [], where)
              assert.deepStrictEqual(yield* rowsIn(folder), changed, where)
              assert.deepStrictEqual((yield* verifyDrop(folder)).faults, [], where)
            }
            return true
          })
          assert.isAbove(yield* eachKill(1, kill), 0)
        })
      )
    )
  }
})
