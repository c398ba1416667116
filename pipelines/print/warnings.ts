import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LogForm } from "../../src/observe/nightLog.ts"
import { HintHome, withHome } from "./hintHome.ts"

/** Writes log lines to standard error; those for people name the home that was asked. */
export const standardError = (form: LogForm) =>
  Effect.map(HintHome, (home) => (line: string) => {
    process.stderr.write(form === "json" ? line : withHome(line, home))
  })

/** The log of a command other than a night: each warning is a sentence. */
export const warnings = Layer.unwrap(
  Effect.gen(function* () {
    const { nightLog } = yield* Effect.promise(() => import("../../src/observe/nightLog.ts"))
    return nightLog("text", yield* standardError("text"))
  })
)
