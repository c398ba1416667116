import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { maxAge } from "./maxAge.ts"
import { home, json, settingsOf, url } from "./settings.ts"
import { Stopped } from "./Stopped.ts"

/** Looks at everything a night needs, and says what to mend. */
export const doctor = Command.make(
  "doctor",
  { url, home, maxAge, json },
  Effect.fnUntraced(function* ({ json, maxAge, ...flags }) {
    const { examine } = yield* Effect.promise(() => import("./examine.ts"))
    const findings = yield* examine(settingsOf(flags), maxAge)
    yield* Console.log(
      json
        ? JSON.stringify(findings)
        : findings
            .map(
              ({ name, ok, says }) => `${ok ? (name === "doubt" ? "LOOK" : "ok  ") : "BAD "} ${name.padEnd(12)} ${says}`
            )
            .join("\n")
    )
    if (findings.some((finding) => !finding.ok)) return yield* new Stopped({ code: 1 })
  })
).pipe(
  Command.withDescription(
    "Check settings, key, marketplace, home, lake and its age; exit code 1 when something needs mending"
  ),
  Command.withExamples([
    { command: "cardlake doctor", description: "Before the first night, and when one fails" },
    { command: "cardlake doctor --max-age 26h", description: "Exit code 1 when nothing was read for 26 hours" }
  ])
)
