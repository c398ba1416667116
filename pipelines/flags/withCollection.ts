import * as Flag from "effect/cli/Flag"

/** Own cards leave a home only by this. */
export const withCollection = Flag.Boolean("with-collection").pipe(
  Flag.withDescription("Take your own cards along, which otherwise stay in the home"),
  Flag.withDefault(false)
)
