import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { hash } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { compactDrop } from "../../src/export/compactDrop.ts"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { runRollback } from "../../src/run/runRollback.ts"
import { startConditionalStore } from "../home/conditionalStore.ts"
import { gameId } from "../lake/invented.ts"
import { asUsual, exportTo, temporaryFolder } from "./Dropped.ts"
import { days, idOfDay, inMonths } from "./MonthsOfNights.ts"
import { withVariables } from "./Store.ts"
import { rowsOfFiles } from "./tablesFound.ts"
import { type FoundInStore, place } from "./tablesInStore.ts"

/** How a request ends, and what follows it: no program any more, no store any more, or all is well again. */
interface Cut {
  readonly request: "lost" | "carried out" | "half answered"
  readonly next: "killed" | "away" | "well"
}
const followed = (request: Cut["request"]): ReadonlyArray<Cut> =>
  (["killed", "away", "well"] as const).map((next) => ({ request, next }))

/** A read leaves the store as it was, whether it was carried out or not. */
const cutsOf = (request: string): ReadonlyArray<Cut> =>
  request.startsWith("GET")
    ? [
        { request: "lost", next: "killed" },
        { request: "half answered", next: "well" }
      ]
    : [...followed("lost"), ...followed("carried out")]

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
 * Cuts compactions in a bucket off at each request that `isTried` names. Each time, every reader finds each table as it
 * was or compacted; the next one ends as an undisturbed one does.
 */
export const cutCompactions = (
  { find, format }: FoundInStore,
  tables: ReadonlyArray<string>,
  isTried: (cut: string) => boolean
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
      for (const day of [days[5], days[6]]) {
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
      store.state.requests.length = 0
      yield* compactDrop(place)
      const requests = store.state.requests.map((request) => decodeURIComponent(request.split("?")[0] ?? ""))
      const after = foundNow()
      assert.deepStrictEqual(yield* rowsNow(), rows)
      for (const [index, { sums }] of after.entries()) assert.isBelow(sums.length, before[index]?.sums.length ?? 0)

      let [tried, strays] = [0, 0]
      const all = requests.flatMap((request, index) => {
        const named = (cut: Cut) => ({ ...cut, at: index + 1, name: `${cut.request}, then ${cut.next}: ${request}` })
        return isTold(request, tables) ? cutsOf(request).map(named) : []
      })
      for (const { at, name, ...cut } of all.filter((one) => isTried(one.name))) {
        const where = `${name}, ${at} of ${requests.length}`
        tried++
        restore()
        const reached = Promise.withResolvers<void>()
        let seen = 0
        store.state.before = ({ socket }, response) => {
          seen++
          if (seen < at || (seen > at && cut.next === "well")) return false
          const isCut = seen > at || cut.request === "lost"
          const end = () => {
            socket.destroy()
            reached.resolve()
          }
          if (isCut) end()
          else cutAnswer(response, cut.request === "half answered", end)
          return isCut
        }
        const fiber = yield* Effect.forkChild(compactDrop(place))
        yield* Effect.promise(() => reached.promise)
        if (cut.next === "killed") yield* Fiber.interrupt(fiber)
        const exit = yield* Fiber.await(fiber)
        store.state.before = () => false
        if (cut.next === "well") {
          assert.isTrue(Exit.isSuccess(exit), `${where}: ${String(exit)}`)
          assert.deepStrictEqual(foundNow(), after, where)
          assert.deepStrictEqual((yield* verifyDrop(place)).faults, [], where)
          continue
        }
        if (cut.next === "away") assert.match(String(exit), /DestinationFailed.*network/, where)
        // Nothing was written yet.
        if ([...store.objects].every(([key, stored]) => saved.get(key) === stored)) continue

        for (const [index, { reader, sums }] of foundNow().entries()) {
          const isKnown = [before, after].some((one) => one[index]?.sums.join() === sums.join())
          assert.isTrue(isKnown, `${where}: ${reader} is neither as before nor compacted`)
        }
        for (const { what } of (yield* verifyDrop(place)).faults) {
          assert.match(
            what,
            /^it does not belong to the drop\. Remove it before the next export or --compact, which may use it, with: aws s3 rm s3:\S+\.parquet$/,
            where
          )
          strays++
        }
        yield* compactDrop(place)
        assert.deepStrictEqual(foundNow(), after, where)
        assert.deepStrictEqual((yield* verifyDrop(place)).faults, [], where)
      }
      return { requests: requests.length, cuts: all.length, tried, strays }
    })
  )
