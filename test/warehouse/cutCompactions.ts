import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { hash } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { compactDrop } from "../../src/warehouse/compactDrop.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { eachKill, type Kills } from "../eachKill.ts"
import { startConditionalStore } from "../store/home/conditionalStore.ts"
import { gameId } from "../store/lake/invented.ts"
import { asUsual, exportTo, temporaryFolder } from "./FourNights.ts"
import { days, idOfDay, inMonths } from "./MonthsOfNights.ts"
import { withVariables } from "./Store.ts"
import { rowsOfFiles } from "./tablesFound.ts"
import { type FoundInStore, place } from "./tablesInStore.ts"

/**
 * Which requests are cut off, how, and what follows: no program any more, no store any more, or all is well again.
 */
interface Cut {
  readonly of: RegExp
  readonly request: "lost" | "carried out" | "half answered"
  readonly next: "killed" | "away" | "well"
}
const followed = (request: Cut["request"]): ReadonlyArray<Cut> =>
  (["killed", "away", "well"] as const).map((next) => ({ of: /^(?!GET)/, request, next }))

/** A read leaves the store as it was, whether it was carried out or not. */
export const everyCut: ReadonlyArray<Cut> = [
  { of: /^GET/, request: "lost", next: "killed" },
  { of: /^GET/, request: "half answered", next: "well" },
  ...followed("lost"),
  ...followed("carried out")
]

/** Of the tables that the drop does not have, one stands for all: they are only looked for. */
const isTold = (request: string, tables: ReadonlyArray<string>) =>
  ["drop.json", "games/", ...tables.map((table) => `${table}/`)].some((path) => request.includes(`/tables/${path}`))

/** Lets a store carry out a request, and cuts its answer off. */
const cutAnswer = (response: ServerResponse, isHalf: boolean, cut: () => void) => {
  const end = (chunk: unknown) => {
    if (!isHalf || !Buffer.isBuffer(chunk)) cut()
    else response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), cut)
    return response
  }
  response.end = end
}

/**
 * Cuts compactions in a bucket off, at each of these requests of each cut. Each time, every reader finds each table as
 * it was or compacted; the next one ends as an undisturbed one does. Returns how many were cut off, and how many objects
 * were left that nothing refers to.
 */
export const cutCompactions = (
  { find, format }: FoundInStore,
  tables: ReadonlyArray<string>,
  cuts: ReadonlyArray<Cut>,
  kills: Kills
) =>
  inMonths(
    Effect.fnUntraced(function* () {
      const store = yield* Effect.acquireRelease(
        Effect.promise(() => startConditionalStore()),
        ({ stop }) => Effect.promise(stop)
      )
      yield* withVariables(store.env)
      yield* exportTo(place, { format, tables })
      // So many commits that a writer of Delta leaves a checkpoint first.
      for (const day of days.slice(-2)) {
        yield* runRollback({ gameId, wanted: idOfDay(day), why: null })
        yield* exportTo(place, { ...asUsual, tables })
      }
      const saved = new Map(store.objects)
      const restore = () => {
        store.objects.clear()
        for (const [key, stored] of saved) store.objects.set(key, stored)
      }

      /** The sums of each reader's files, and how many versions there are. */
      const foundNow = () =>
        tables.flatMap((table) => {
          const { files, versions } = find(store, table)
          return Object.entries(files).map(([reader, bodies]) => ({
            reader: `${table} by ${reader}`,
            sums: bodies.map((body) => hash("sha256", body)).toSorted(),
            versions
          }))
        })
      const rowsNow = Effect.fnUntraced(function* () {
        const folder = yield* temporaryFolder
        const written = (bodies: ReadonlyArray<Buffer>) => {
          const into = mkdtempSync(join(folder, "files-"))
          return bodies.map((body, at) => {
            writeFileSync(join(into, `${at}.parquet`), body)
            return join(into, `${at}.parquet`)
          })
        }
        const found = tables.flatMap((table) => Object.values(find(store, table).files))
        return yield* Effect.forEach(found, (bodies) => rowsOfFiles(written(bodies)))
      })

      const before = foundNow()
      const rows = yield* rowsNow()
      yield* compactDrop(place)
      const after = foundNow()
      assert.deepStrictEqual(yield* rowsNow(), rows)
      for (const [index, { sums }] of after.entries()) assert.isBelow(sums.length, before[index]?.sums.length ?? 0)

      const cutOff = Effect.fnUntraced(function* (cut: Cut, at: string) {
        restore()
        const reached = Promise.withResolvers<void>()
        let [seen, where] = [0, ""]
        store.state.before = ({ method, socket, url = "" }, response) => {
          const request = `${method} ${decodeURIComponent(url.split("?")[0] ?? "")}`
          const isFirst = where === "" && cut.of.test(request) && isTold(request, tables) && String(++seen) === at
          if (isFirst) where = `${cut.request}, then ${cut.next}: ${request}, ${at}`
          else if (where === "" || cut.next === "well") return false
          const isCut = !isFirst || cut.request === "lost"
          const end = () => {
            socket.destroy()
            reached.resolve()
          }
          if (isCut) end()
          else cutAnswer(response, cut.request === "half answered", end)
          return isCut
        }
        const fiber = yield* Effect.forkChild(compactDrop(place))
        const ended = Fiber.await(fiber)
        yield* Effect.raceFirst(
          ended,
          Effect.promise(() => reached.promise)
        )
        if (where !== "" && cut.next === "killed") yield* Fiber.interrupt(fiber)
        const exit = yield* ended
        store.state.before = () => false
        if (where === "" || cut.next === "well") {
          assert.isTrue(Exit.isSuccess(exit), `${where}: ${String(exit)}`)
          assert.deepStrictEqual(foundNow(), after, where)
          assert.deepStrictEqual((yield* verifyDrop(place)).faults, [], where)
          return where !== ""
        }
        if (cut.next === "away") assert.match(String(exit), /DestinationFailed.*network/, where)
        // Nothing was written yet.
        if ([...store.objects].every(([key, stored]) => saved.get(key) === stored)) return true

        for (const [index, { reader, sums }] of foundNow().entries()) {
          const isKnown = [before, after].some((one) => one[index]?.sums.join() === sums.join())
          assert.isTrue(isKnown, `${where}: ${reader} is neither as before nor compacted`)
        }
        assert.deepStrictEqual((yield* verifyDrop(place)).faults, [], where)
        yield* compactDrop(place)
        assert.deepStrictEqual(foundNow(), after, where)
        assert.deepStrictEqual((yield* verifyDrop(place)).faults, [], where)
        return true
      })
      const tried = yield* Effect.forEach(cuts, (cut) => eachKill(kills, (at) => cutOff(cut, at)))
      return tried
    })
  )
