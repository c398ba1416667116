import { live } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Disk } from "../../src/feed/disk/Disk.ts"
import { folderDestination } from "../../src/warehouse/destination/folderDestination.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { WorkProgress, type WorkStep } from "../../src/store/home/WorkProgress.ts"
import { temporaryFolder, dayOf, dropIn, FourNights, fourNights } from "./FourNights.ts"
import { gameId } from "../store/lake/invented.ts"

const texts = Array.from({ length: 10 }, (_, index) => `${index}\n`)

/** Ten writers create one file at the same moment: whose text was taken, and what the file has. */
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

const failure = (call: string, code: string) => Promise.reject(Object.assign(new Error(`${code}: ${call}`), { code }))

/** As exFAT and some network shares answer. */
const withoutLinks = Effect.updateService(Disk, (disk) => ({ ...disk, link: () => failure("link", "EPERM") }))
/** As a folder on a disk that is mounted read-only answers. */
const readOnly = (folder: string) =>
  Effect.updateService(Disk, (disk) => ({
    ...disk,
    write: (path, ...rest) => (path.startsWith(folder) ? failure("write", "EROFS") : disk.write(path, ...rest))
  }))

live("a folder lets one of ten writers in, and none later", function* () {
  const { came, lies } = yield* tenAtOnce
  assert.deepStrictEqual(came, [lies])
})

live("a folder on a disk without hard links lets one of ten writers in, and none later", function* () {
  const { came, lies } = yield* withoutLinks(tenAtOnce)
  assert.deepStrictEqual(came, [lies])
})

fourNights("a drop", (it) => {
  it.home("tells while it is checked which game it is at, and a share that only grows", function* () {
    const { drop } = yield* FourNights
    const steps: Array<WorkStep> = []
    const verify = verifyDrop(drop)
    yield* Effect.provideService(verify, WorkProgress, { tell: (step) => void steps.push(step), warned: null })
    assert.include([...new Set(steps.map((step) => step.gameId))], gameId)
    const shares = steps.map(({ share }) => share)
    assert.isAbove(new Set(shares).size, 3)
    assert.deepStrictEqual(
      shares,
      shares.toSorted((a, b) => a - b)
    )
    assert.isBelow(shares.at(-1) ?? 1, 1)
  })
})

fourNights("a folder that cannot be written to", (it) => {
  it.home(
    "can still be checked by --verify, which says what it could not note for the next export",
    function* (folder) {
      yield* dropIn(folder)
      const partition = `games/v=1/game=${gameId}/dt=${dayOf(4)}`
      const verify = readOnly(folder)(verifyDrop(folder))
      const { faults, partitions } = yield* verify
      assert.deepStrictEqual([partitions, faults], [4 * 22 + 1, []])
      rmSync(join(folder, partition, "part-00000.parquet"))
      const sentences = (yield* verify).faults.map((fault) => `${fault.partition}: ${fault.what}`)
      assert.deepStrictEqual(sentences.slice(0, 1), [`${partition}: its file is missing`])
      assert.include(
        sentences[1],
        `_state/${gameId}.json: the next export cannot repair this, because the mark for it could not be written: Write`
      )
    }
  )
})
