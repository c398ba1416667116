import { Effect } from "effect"
import { type Repairs, repairStored, repairTexts } from "../src/night/run/repair/runRepair.ts"
import { missing, nextAfterRepair } from "../src/store/home/bucket/BucketFailed.ts"
import type { DamagedObject } from "../src/store/home/bucket/repair/examineBucket.ts"
import type { Repaired, Work } from "../src/store/home/bucket/workInBucket.ts"
import { inLake } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { chooseExitCode, showWhenDone } from "./lake/Finding.ts"
import { examine } from "./lake/examine.ts"
import { runCapture } from "./lake/runCapture.ts"
import { fleetFindings } from "./lake/sharedFindings.ts"
import { printAnswer, printJson, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import type * as specs from "./specs/setup.ts"

const damageText = ({ file, label, object, what }: DamagedObject) =>
  `${what === missing ? object : label} is damaged: ${what}. ${nextAfterRepair(file, label !== object)}`

/** Converts a repair report of a bucket: objects replace the placeholder files. */
const ofObjects = ({ done, left }: Repairs, { damaged, documents, left: still }: Repaired): Repairs => {
  const named = (says: string) => damaged.reduce((text, { label, path }) => text.replaceAll(path, label), says)
  const isStill = (wanted: string | null) => still.some(({ path }) => path === wanted)
  // The store's report of an object is more precise than that of an empty placeholder.
  const others = left.filter(({ file, isExplained }) => isExplained || !isStill(file))
  const unreported = still.filter(({ path }) => !others.some(({ file }) => file === path))
  const leftAs = (says: string) => ({ file: null, says, isExplained: true })
  return {
    done: [
      ...documents.done.map((says) => ({ says })),
      ...done.map(({ report, says }) => {
        const damagedReport = damaged.find(({ file }) => file === `runs/${report}.json`)
        const text = `run report ${report} is no longer listed: ${damagedReport?.label} is damaged: ${damagedReport?.what}`
        return { says: damagedReport === undefined ? named(says) : text }
      })
    ],
    left: [
      ...documents.left.map(leftAs),
      ...others.map(({ says }) => leftAs(named(says))),
      // All files of one missing object have the same text.
      ...Array.from(new Set(unreported.map(damageText)), leftAs)
    ]
  }
}

/** The work of repairing a home in a bucket: it reads everything, and restarts after a conflict with another writer. */
const repairInBucket: Work<Repairs, never, never> = {
  need: { games: null, of: "newest", folders: "all", runs: "all" },
  writes: {
    kind: "other",
    again: "all",
    settle: (_, done) => Effect.succeed(done),
    repairs: ofObjects,
    together: (first, second) => ({ done: [...first.done, ...second.done], left: second.left })
  }
}

/** Explains why these flags cannot be combined; null if they can. */
const flagsFault = (input: typeof specs.doctor.Input): string | null => {
  const { accept, capture, dialect, game, repair, yes } = input
  if (accept && !repair) return "--accept needs --repair. Run: cardlake doctor --repair --accept"
  if (dialect !== null && capture !== null)
    return "--capture takes no --dialect. Test a mapping file on a capture: cardlake dialect CAPTURE --dialect FILE"
  if (repair && capture !== null) return "--repair and --capture exclude each other. Run one after the other"
  return (yes || game !== null) && capture === null
    ? "--game and --yes need --capture. Run: cardlake doctor --capture FILE"
    : null
}

/** Checks everything that a night needs, and prints next steps. */
export const doctor = Effect.fnUntraced(function* (input: typeof specs.doctor.Input) {
  const { accept, capture, cluster, game, json, maxAge, repair, yes, ...flags } = input
  const fault = flagsFault(input)
  if (fault !== null) return yield* wrongUsage(fault)
  if (capture !== null) {
    return yield* runCapture(toSettings(flags), { file: capture, game, yes, json })
  }
  if (repair) {
    const repaired = repairTexts(
      yield* showWork({ what: "Repairing", json })(inLake(flags, repairInBucket, () => repairStored(accept)))
    )
    yield* printAnswer(json, repaired, repairText)
    return yield* repaired.left.length > 0 ? new Stopped({ code: 1 }) : Effect.void
  }
  const { end, watch } = showWhenDone(json)
  const ofHome = yield* examine(toSettings(flags), maxAge, { watch })
  const findings = [...ofHome, ...(yield* fleetFindings(toSettings(flags), cluster, watch))]
  yield* json ? printJson(findings) : end
  const code = chooseExitCode(findings)
  if (code !== 0) return yield* new Stopped({ code })
})

/** Describes for people what was repaired and what was not. */
const repairText = ({ done, left }: ReturnType<typeof repairTexts>): string =>
  [
    ...done.map((what) => `repaired: ${what}`),
    ...left.map((what) => `left: ${what}`),
    done.length + left.length === 0 ? "Nothing is damaged" : `${done.length} repaired, ${left.length} left as they are`
  ].join("\n")
