import type { Manifest } from "../lake/Manifest.ts"
import type { Diff } from "./Diff.ts"
import { defaultBounds, type Bounds } from "./HoldBounds.ts"
import type { Coverage } from "./priceCoverage.ts"

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** Why a snapshot must not be published as it is; empty when nothing speaks against it. */
export const holdReasons = (
  manifest: Manifest,
  previous: Manifest | null,
  diff: Diff | null,
  coverage: ReadonlyArray<Coverage> = [],
  bounds: Bounds = defaultBounds
) => {
  const reasons: Array<string> = []
  for (const check of manifest.checks.filter((check) => check.violations > 0)) {
    reasons.push(`${check.violations} rows of ${check.table} break "${check.check}"`)
  }
  const accepted = (manifest.tables["products"]?.rows ?? 0) + (manifest.tables["expansions"]?.rows ?? 0)
  const refused = manifest.refused / Math.max(1, accepted + manifest.refused)
  if (refused > bounds.refused) {
    reasons.push(`${manifest.refused} records (${percent(refused)}) were refused, more than ${percent(bounds.refused)}`)
  }
  const before = previous?.tables["products"]?.rows ?? 0
  const disappeared = diff?.unclaimedRemovals ?? 0
  if (before > 0 && disappeared / before > bounds.removed) {
    reasons.push(
      `${disappeared} of ${before} products disappeared without the changelog saying so, more than ${percent(bounds.removed)}`
    )
  }
  for (const { after, before, source } of coverage.filter((one) => one.before - one.after > bounds.coverage)) {
    reasons.push(
      `${source} prices ${percent(after)} of the products, before ${percent(before)}: a drop of more than ${(bounds.coverage * 100).toFixed(1)} points`
    )
  }
  return reasons
}
