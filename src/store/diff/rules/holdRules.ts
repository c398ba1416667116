import { checks } from "./checks.ts"
import { clock } from "./clock.ts"
import { coverage } from "./coverage.ts"
import { currencies } from "./currencies.ts"
import { emptied } from "./emptied.ts"
import type { HoldRule } from "./HoldRule.ts"
import { refused } from "./refused.ts"
import { removed } from "./removed.ts"
import { strangeFigures } from "./strangeFigures.ts"
import { strangeKeys } from "./strangeKeys.ts"

/** Every rule that holds a night, in the order of reported reasons. */
export const holdRules: ReadonlyArray<HoldRule> = [
  clock,
  checks,
  refused,
  removed,
  strangeKeys,
  strangeFigures,
  coverage,
  emptied,
  currencies
]
