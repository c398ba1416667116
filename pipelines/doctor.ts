import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { cluster } from "./flags/nightFlags.ts"
import { maxAge, home, json, settingsOf, url, dialectFlag, optionalText, switchFlag } from "./flags/sharedFlags.ts"
import { inLake } from "./flags/inLake.ts"
import { printAnswer, printJson, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import { type Finding, shownAsItEnds } from "./lake/Finding.ts"
import type { runRepair } from "../src/night/run/repair/runRepair.ts"

const repair = switchFlag(
  "repair",
  "Repair a damaged home, in a folder or bucket: rebuild current.json, and damaged files from the raw pages"
)

const accept = switchFlag("accept", "With --repair: take a month whose rows are on record nowhere as they are now")

const capture = optionalText(
  "capture",
  "FILE",
  "Ask for a page of each list, and write the answers to this new file, without key and account"
)

const game = optionalText(
  "game",
  "GAME",
  "With --capture: the game whose pages to ask for; default: the first that has products"
)

const dialect = dialectFlag(
  "The words that a page is looked at in, or a dialect file, as nightly has it; default: CARDLAKE_DIALECT, else auto"
).pipe(Flag.optional)

const yes = switchFlag(
  "yes",
  "With --capture: write it without asking; without a terminal, it is not written otherwise"
)

/** Why these flags do not go together; null if they do. */
const flagsFault = (of: {
  readonly accept: boolean
  readonly repair: boolean
  readonly isCapture: boolean
  readonly isOfCapture: boolean
  readonly isDialect: boolean
}): string | null => {
  if (of.accept && !of.repair) return "--accept is for a repair. Run it as: cardlake doctor --repair --accept"
  if (of.isDialect && of.isCapture) {
    return "A capture is as the marketplace answers. Try a dialect on it with: cardlake dialect FILE --dialect FILE"
  }
  if (of.repair && of.isCapture) return "--repair and --capture are two things to do. Run one after the other"
  return of.isOfCapture && !of.isCapture
    ? "--game and --yes are for a capture. Run it as: cardlake doctor --capture FILE"
    : null
}

/** Damage goes first: 3 only if nothing but a hold needs attention. */
const codeOf = (findings: ReadonlyArray<Finding>): number => {
  const wrong = findings.filter(({ ok }) => !ok)
  if (wrong.length === 0) return 0
  return wrong.every(({ held }) => held !== undefined) ? 3 : 1
}

/** Checks everything that a night needs, and says what to do. */
export const doctor = Command.make(
  "doctor",
  { url, home, cluster, dialect, maxAge, repair, accept, capture, game, yes, json },
  Effect.fnUntraced(function* ({ accept, capture, cluster, game, json, maxAge, repair, yes, ...flags }) {
    const isOfCapture = yes || Option.isSome(game)
    const fault = flagsFault({
      accept,
      repair,
      isCapture: Option.isSome(capture),
      isOfCapture,
      isDialect: Option.isSome(flags.dialect)
    })
    if (fault !== null) {
      return yield* wrongUsage(fault)
    }
    if (Option.isSome(capture)) {
      const { runCapture } = yield* Effect.promise(() => import("./lake/runCapture.ts"))
      return yield* runCapture(settingsOf(flags), { file: capture.value, game: Option.getOrNull(game), yes, json })
    }
    if (repair) {
      const { runRepair } = yield* Effect.promise(() => import("../src/night/run/repair/runRepair.ts"))
      const { repairInBucket } = yield* Effect.promise(() => import("./lake/repairInBucket.ts"))
      const repaired = yield* showWork({ what: "Repairing", json })(
        inLake(flags, repairInBucket, () => runRepair(accept))
      )
      yield* printAnswer(json, repaired, repairText)
      return yield* repaired.left.length > 0 ? new Stopped({ code: 1 }) : Effect.void
    }
    const { examine } = yield* Effect.promise(() => import("./lake/examine.ts"))
    const { fleetFindings } = yield* Effect.promise(() => import("./lake/sharedFindings.ts"))
    const watch = shownAsItEnds(json)
    const ofHome = yield* examine(settingsOf(flags), maxAge, watch)
    const findings = [...ofHome, ...(yield* fleetFindings(settingsOf(flags), Option.getOrNull(cluster), watch))]
    if (json) yield* printJson(findings)
    const code = codeOf(findings)
    if (code !== 0) return yield* new Stopped({ code })
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Check settings, key, marketplace, home, lake and its age; exit code 1 if something is wrong, 3 if a game is held"
  ),
  Command.withExamples([
    { command: "cardlake doctor", description: "Before the first night, and when one fails" },
    { command: "cardlake doctor --repair", description: "Repair what can be repaired; deletes nothing" },
    {
      command: "cardlake doctor --capture capture.json",
      description: "How the marketplace answers, in a file to be tried and sent; shown before it is written"
    },
    { command: "cardlake doctor --max-age 26h", description: "Exit code 1 when nothing was read for 26 hours" }
  ])
)

/** What a repair did and did not do, for a person. */
const repairText = ({ done, left }: Effect.Success<ReturnType<typeof runRepair>>): string =>
  [
    ...done.map((what) => `repaired: ${what}`),
    ...left.map((what) => `left: ${what}`),
    done.length + left.length === 0 ? "Nothing is damaged" : `${done.length} repaired, ${left.length} left as they are`
  ].join("\n")
