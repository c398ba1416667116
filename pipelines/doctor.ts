import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { maxAge } from "./flags/maxAge.ts"
import { printAnswer, printJson } from "./print/printAnswer.ts"
import { showWork } from "./print/showWork.ts"
import { home, json, lakeOnly, settingsOf, url } from "./flags/sharedFlags.ts"
import { Stopped } from "./print/Stopped.ts"
import { wrongUsage } from "./print/stopWith.ts"
import type { Finding } from "./lake/examine.ts"
import { shownAsItEnds } from "./lake/shownAsItEnds.ts"
import type { runRepair } from "../src/run/repair/runRepair.ts"

const repair = Flag.Boolean("repair").pipe(
  Flag.withDescription("Repair a damaged home: rebuild current.json, and damaged files from the raw pages"),
  Flag.withDefault(false)
)

const accept = Flag.Boolean("accept").pipe(
  Flag.withDescription("With --repair: take a month whose rows are on record nowhere as they are now"),
  Flag.withDefault(false)
)

/** Damage goes first: 3 only if nothing but a hold needs attention. */
const codeOf = (findings: ReadonlyArray<Finding>): number => {
  const wrong = findings.filter(({ ok }) => !ok)
  if (wrong.length === 0) return 0
  return wrong.every(({ held }) => held !== undefined) ? 3 : 1
}

/** Checks everything that a night needs, and says what to do. */
export const doctor = Command.make(
  "doctor",
  { url, home, maxAge, repair, accept, json },
  Effect.fnUntraced(function* ({ accept, json, maxAge, repair, ...flags }) {
    if (accept && !repair) {
      return yield* wrongUsage("--accept is for a repair. Run it as: cardlake doctor --repair --accept")
    }
    if (repair) {
      const { runRepair } = yield* Effect.promise(() => import("../src/run/repair/runRepair.ts"))
      const repaired = yield* showWork({ what: "Repairing", json })(
        Effect.provideContext(runRepair(accept), yield* Layer.build(lakeOnly(flags)))
      )
      yield* printAnswer(json, repaired, repairText)
      return yield* repaired.left.length > 0 ? new Stopped({ code: 1 }) : Effect.void
    }
    const { examine } = yield* Effect.promise(() => import("./lake/examine.ts"))
    const findings = yield* examine(settingsOf(flags), maxAge, shownAsItEnds(json))
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
