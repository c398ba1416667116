import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LogForm } from "../../src/observe/nightLog.ts"
import { writeBesideBars } from "./besideBars.ts"
import { Hints } from "./hints.ts"

/** Writes log lines to standard error; those for people with hints that can be copied. */
export const standardError = (form: LogForm) =>
  Effect.map(Hints, (withHints) => (line: string) => {
    writeBesideBars(form === "json" ? line : withHints(line))
  })

/** The log of a command other than a night: each warning is a sentence. */
export const warnings = Layer.unwrap(
  Effect.gen(function* () {
    const { nightLog } = yield* Effect.promise(() => import("../../src/observe/nightLog.ts"))
    return nightLog("text", yield* standardError("text"))
  })
)
