import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { screenWidth } from "../../src/night/observe/shortTexts.ts"
import { wrapLines } from "./wrapLines.ts"
import { writeBesideBars } from "./besideBars.ts"
import { Printing } from "./hints.ts"
import { hintedJson } from "./printAnswer.ts"

/** Writes log lines to standard error, with hints that can be copied. */
export const standardError = (form: LogForm) =>
  Effect.map(Printing, ({ hint, hintInJson }) => (line: string) => {
    writeBesideBars(
      form === "json"
        ? `${hintedJson(JSON.parse(line), hintInJson)}\n`
        : wrapLines(hint(line), screenWidth(process.stderr))
    )
  })

/** The log of a command other than a night: each warning is a sentence. */
export const warnings = Layer.unwrap(
  Effect.gen(function* () {
    const { nightLog } = yield* Effect.promise(() => import("../../src/night/observe/nightLog.ts"))
    return nightLog("text", yield* standardError("text"))
  })
)
