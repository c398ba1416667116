import { Effect } from "effect"
import * as fc from "fast-check"

/**
 * Checks generated values with an effect. With a few cases, as in `npm test`, the first value
 * that fails is shown as it is; with many, as in the full tests, it is shrunk.
 */
export const holds = <A, E, R>(
  values: fc.Arbitrary<A>,
  cases: number,
  check: (value: A) => Effect.Effect<void, E, R>
) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(values, (value) => Effect.runPromiseWith(context)(check(value))),
        { numRuns: cases, endOnFailure: cases < 10, interruptAfterTimeLimit: 500_000 }
      )
    )
  )
