import type { Manifest } from "../lake/Manifest.ts"
import type { Diff } from "./Diff.ts"

/** Bounds beyond which a snapshot is kept but not published. Shares of the game's products. Design: decisions 4 and 8. */
export const bounds = { unclaimedRemovals: 0.05, refused: 0.01 }

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** Why a snapshot must not be published as it is; empty when nothing speaks against it. */
export const holdReasons = (manifest: Manifest, previous: Manifest | null, diff: Diff | null) => {
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
  if (before > 0 && disappeared / before > bounds.unclaimedRemovals) {
    reasons.push(
      `${disappeared} of ${before} products disappeared without the changelog saying so, more than ${percent(bounds.unclaimedRemovals)}`
    )
  }
  return reasons
}
