import { clockSlackMillis } from "../lake/clockSlack.ts"
import type { Manifest } from "../lake/Manifest.ts"
import type { Diff } from "./Diff.ts"
import { defaultBounds, type Bounds } from "./HoldBounds.ts"
import type { Coverage } from "./priceCoverage.ts"

/** Whether the published reading lies in the future of the clock that a newer one was made with: one of the two clocks was wrong. */
export const isAhead = (previous: Manifest, manifest: Manifest): boolean =>
  Date.parse(previous.extractedAt) - Date.parse(manifest.extractedAt) > clockSlackMillis

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
  if (previous !== null && isAhead(previous, manifest)) {
    const { extractedAt, gameId } = previous
    const back =
      previous.previous === null ? "release the new reading" : `take that one back with: cardlake rollback ${gameId}`
    reasons.push(
      `the published reading is of ${extractedAt}, in the future: the clock now says ${manifest.extractedAt}. Check the clock of this machine and run it again; if the clock was wrong then, ${back}`
    )
  }
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
