import { Effect } from "effect"
import * as fc from "fast-check"

/**
 * A property over generated values whose check is an effect. A few cases, as in `npm test`,
 * show the first failing value as it is; many, as in the full tests, shrink it.
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
