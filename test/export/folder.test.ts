import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { folderDestination } from "../../src/export/destination/folderDestination.ts"
import { temporaryFolder } from "./Dropped.ts"

const texts = Array.from({ length: 10 }, (_, index) => `${index}\n`)

/** Ten that put a text in one place at the same moment: which got there, and what lies there. */
const tenAtOnce = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const to = folderDestination(folder)
  const create = (text: string) => to.create("_state/emberfall.json", text)
  const came = yield* Effect.forEach(texts, create, { concurrency: "unbounded" })
  assert.isFalse(yield* create("late\n"))
  assert.deepStrictEqual(readdirSync(join(folder, "_staging")), [])
  return {
    came: texts.filter((_, index) => came[index]),
    lies: readFileSync(join(folder, "_state/emberfall.json"), "utf8")
  }
})

/** As exFAT and some shares answer; no such disk is at hand everywhere. */
const withoutLinks = Effect.acquireRelease(
  Effect.sync(() => {
    const { link } = fs
    fs.link = () => Promise.reject(Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" }))
    syncBuiltinESMExports()
    return link
  }),
  (link) =>
    Effect.sync(() => {
      fs.link = link
      syncBuiltinESMExports()
    })
)

it.live("a folder lets one of ten through its door, and nobody later", () =>
  Effect.gen(function* () {
    const { came, lies } = yield* tenAtOnce
    assert.deepStrictEqual(came, [lies])
  }).pipe(Effect.scoped)
)

it.live("a folder on a disk without hard links does the same", () =>
  Effect.gen(function* () {
    yield* withoutLinks
    const { came, lies } = yield* tenAtOnce
    assert.deepStrictEqual(came, [lies])
  }).pipe(Effect.scoped)
)
