import type { HoldRule } from "./HoldRule.ts"

/** Rows break a check in the header of their table. */
export const checks: HoldRule = {
  name: "checks",
  bound: null,
  sql: null,
  judges: "every night",
  onPage: "held",
  look: "changes",
  sentences: ({ manifest }) =>
    manifest.checks
      .filter(({ violations }) => violations > 0)
      .map(({ check, table, violations }) => `${violations} rows of ${table} break "${check}"`)
}
