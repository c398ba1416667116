import * as Effect from "effect/Effect"
import { InvalidValue } from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import { destinationFault, shownAddress } from "../../src/warehouse/destination/destinationFault.ts"

/** A folder or a bucket. An address that is refused may have a key in it, which is not repeated. */
export const destinationFlag = (option: string, description: string) =>
  Flag.String(option).pipe(
    Flag.withMetavar("DESTINATION"),
    Flag.withDescription(description),
    Flag.mapEffect((address) => {
      const expected = destinationFault(address)
      if (expected === null) return Effect.succeed(address)
      return Effect.fail(new InvalidValue({ option, value: shownAddress(address), expected, kind: "flag" }))
    })
  )
