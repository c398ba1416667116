import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { runRollback } from "../../src/run/runRollback.ts"
import { gameId } from "../lake/invented.ts"
import { exportTo, temporaryFolder } from "./Dropped.ts"
import { FourNights, nightId } from "./FourNights.ts"
import { bucket, startStore } from "./Store.ts"

const place = `s3://${bucket}/lake`
const only = { tables: ["products"] }

/** Every Parquet object with its content. */
const objectsIn = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync("**/part-00000.parquet._S3rver_object", { cwd: directory }).map((path) => [
      path,
      readFileSync(join(directory, path)).toString("base64")
    ])
  )

/**
 * An export that empties a night and replaces another, which dies at each request that `isTried` names. After each death every object is the
 * earlier one or the new one; the next export gives what an undisturbed one gives.
 */
export const killRequests = Effect.fnUntraced(function* (isTried: (request: number, requests: number) => boolean) {
  const services = yield* FourNights.copy
  const store = yield* startStore
  const run = Effect.provideContext(exportTo(place, only), services)
  yield* run
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(2), why: null }), services)
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(4), why: null }), services)
  const saved = yield* temporaryFolder
  cpSync(store.directory, saved, { recursive: true })
  const before = objectsIn(store.directory)
  const asBefore = () => {
    rmSync(join(store.directory, bucket), { recursive: true })
    cpSync(saved, store.directory, { recursive: true })
  }

  store.state.requests.length = 0
  yield* run
  const requests = store.state.requests.length
  const after = objectsIn(store.directory)
  assert.notDeepEqual(after, before)

  const tried = Array.from({ length: requests }, (_, index) => index + 1).filter((at) => isTried(at, requests))
  for (const at of tried) {
    const where = `died at request ${at} of ${requests}`
    asBefore()
    const reached = Promise.withResolvers<void>()
    let seen = 0
    store.state.before = (request) => {
      seen++
      if (seen < at) return false
      reached.resolve()
      request.socket.destroy()
      return true
    }
    const fiber = yield* Effect.forkChild(Effect.ignore(run))
    yield* Effect.promise(() => reached.promise)
    yield* Fiber.interrupt(fiber)
    store.state.before = () => false
    const found = objectsIn(store.directory)
    assert.deepStrictEqual(Object.keys(found).sort(), Object.keys(before).sort(), where)
    for (const [path, content] of Object.entries(found)) {
      assert.isTrue(content === before[path] || content === after[path], `${where}: ${path}`)
    }
    yield* run
    assert.deepStrictEqual(objectsIn(store.directory), after, where)
    assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(place), services)).faults, [], where)
  }
  return { requests, tried: tried.length }
})
