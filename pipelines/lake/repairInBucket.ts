import * as Effect from "effect/Effect"
import type { DamagedObject } from "../../src/store/home/bucket/repair/damagedHere.ts"
import { nextAfterRepair } from "../../src/store/home/bucket/nextOfDamage.ts"
import type { Mended, Work } from "../../src/store/home/bucket/workInBucket.ts"
import type { runRepair } from "../../src/night/run/repair/runRepair.ts"

type Repaired = Effect.Success<ReturnType<typeof runRepair>>

const damageText = ({ file, object, what }: DamagedObject) => `${object} is damaged: ${what}. ${nextAfterRepair(file)}`

/** In a bucket an object stays where it is; a report that is lost was nowhere to be set aside. */
const unnamed = (says: string, damaged: ReadonlyArray<DamagedObject>): string => {
  const run = /^the damaged report of run (\S+) is set aside$/.exec(says)?.[1]
  const report = run === undefined ? undefined : damaged.find(({ file }) => file === `runs/${run}.json`)
  if (report !== undefined)
    return `the report of run ${run} is no longer named: ${report.object} is damaged: ${report.what}`
  return says.replace(/\b(is|are) set aside\b/, "$1 no longer named")
}

/** What a repair says, of objects in place of the files that stood in for them. */
const ofObjects = ({ done, left }: Repaired, { damaged, documents, left: still }: Mended): Repaired => {
  const named = (says: string) => damaged.reduce((text, { object, path }) => text.replaceAll(path, object), says)
  // A file without content says less than the store did.
  const isToldBelow = (says: string) =>
    still.some(({ object }) => /^( is damaged: | is damaged \()/.test(says.split(object)[1] ?? ""))
  const others = left.map(named).filter((says) => !isToldBelow(says))
  const untold = still.filter(({ object }) => !others.some((says) => says.startsWith(object)))
  return {
    done: [...documents.done, ...done.map((says) => unnamed(named(says), damaged))],
    left: [...documents.left, ...others, ...untold.map(damageText)]
  }
}

/** A repair of a home in a bucket reads all of it, and begins again if others were faster. */
export const repairInBucket: Work<Repaired, never, never> = {
  need: { games: null, of: "newest", folders: "all", runs: "all" },
  writes: {
    kind: "other",
    again: "all",
    settle: (_, done) => Effect.succeed(done),
    mends: ofObjects,
    together: (first, second) => ({ done: [...new Set([...first.done, ...second.done])], left: second.left })
  }
}
