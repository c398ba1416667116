import * as Flag from "effect/cli/Flag"
import { dialectNames } from "../../src/feed/contract/dialect/dialects.ts"
import { textFlag } from "./sharedFlags.ts"

const named: ReadonlySet<string> = new Set(["auto", ...dialectNames])

/** A dialect by its name, or a file that says one: its name has a dot or a slash. */
export const dialectFlag = (description: string) =>
  textFlag("dialect", `auto|${dialectNames.join("|")}|FILE`).pipe(
    Flag.withDescription(description),
    Flag.filter(
      (text) => named.has(text) || /[./\\]/.test(text),
      (text) => `Expected auto, ${dialectNames.join(", ")}, or a file such as ./dialect.json, got ${text}`
    )
  )
