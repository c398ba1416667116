import { Schema } from "effect"

/** Text of this pattern, which OpenAPI says, too. Without `expected`, a refusal shows the pattern. */
export const matching = (pattern: RegExp, expected?: string) =>
  Schema.isPattern(pattern, {
    toJsonSchema: () => ({ pattern: pattern.source }),
    ...(expected === undefined ? {} : { expected })
  })
