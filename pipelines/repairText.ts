import type { Effect } from "effect"
import type { runRepair } from "../src/run/runRepair.ts"

/** What a repair did and what it left, for a person. */
export const repairText = ({ done, left }: Effect.Success<ReturnType<typeof runRepair>>): string =>
  [
    ...done.map((what) => `mended: ${what}`),
    ...left.map((what) => `left: ${what}`),
    done.length + left.length === 0 ? "Nothing is damaged" : `${done.length} mended, ${left.length} left as they are`
  ].join("\n")
