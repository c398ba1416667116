import { Duration, Effect, type Redacted } from "effect"
import type { NightOutcome } from "./NightOutcome.ts"
import { nightWarning } from "./nightEvent.ts"
import { postJson } from "./postJson.ts"

/** POSTs the report as JSON. A failure is a warning that names the origin only; the night never fails because of it. */
export const postReport = (address: Redacted.Redacted, { report }: NightOutcome) =>
  postJson(address, report, { token: null, retries: 4, allAtMost: Duration.seconds(10) }).pipe(
    Effect.catch(({ message }) =>
      nightWarning("notify", `The report did not reach ${message}. The night itself is done`)
    )
  )
