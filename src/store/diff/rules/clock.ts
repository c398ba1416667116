import { clockSlackMillis } from "../../home/newRunId.ts"
import type { Manifest } from "../../home/Manifest.ts"
import type { HoldRule } from "./HoldRule.ts"

/** True if the published reading is later than a newer one, so one of the two clocks was wrong. */
export const isAhead = (previous: Pick<Manifest, "extractedAt">, manifest: Pick<Manifest, "extractedAt">): boolean =>
  Date.parse(previous.extractedAt) - Date.parse(manifest.extractedAt) > clockSlackMillis

/** The published reading is dated in the future. */
export const clock: HoldRule = {
  name: "clock",
  bound: null,
  sql: null,
  judges: "every night",
  onPage: "held",
  look: "clock",
  sentences: ({ manifest, previous }) => {
    if (previous === null || !isAhead(previous, manifest)) return []
    return [
      `the published reading is dated ${previous.extractedAt}, in the future: the clock now says ${manifest.extractedAt}`
    ]
  }
}
