import * as Effect from "effect/Effect"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { printText } from "../print/printAnswer.ts"
import { showWork } from "../print/showWork.ts"
import type { Finding, Watch } from "./Finding.ts"

const markOf = ({ held, isDoubt, ok }: Finding): string => {
  if (!ok) return held === undefined ? "BAD " : "HELD"
  return isDoubt === true ? "LOOK" : "ok  "
}

const lineOf = (finding: Finding): string => `${markOf(finding)} ${finding.name.padEnd(12)} ${shownText(finding.says)}`

/** Where a finding's sentence begins. */
const indent = " ".repeat(18)

/** Shows what is being checked, then what was found. */
export const shownAsItEnds =
  (json: boolean): Watch =>
  (what) =>
  (look) =>
    Effect.tap(showWork({ what: `Checking ${what}`, json })(look), (found) =>
      json ? Effect.void : Effect.forEach(found, (finding) => printText(lineOf(finding), indent))
    )
