import { offsetListNames } from "../client/offsetLists.ts"
import { shownText } from "../contract/shownText.ts"
import { clockSlackMillis } from "../home/clockSlack.ts"
import type { Manifest } from "../home/Manifest.ts"
import type { CurrencyMove } from "./currencyMoves.ts"
import type { Bounds } from "./HoldBounds.ts"
import type { Coverage } from "./priceCoverage.ts"
import type { StrangeKeys } from "./strangeKeys.ts"

/** Whether the published reading is later than a newer one: one of the two clocks was wrong. */
export const isAhead = (previous: Pick<Manifest, "extractedAt">, manifest: Pick<Manifest, "extractedAt">): boolean =>
  Date.parse(previous.extractedAt) - Date.parse(manifest.extractedAt) > clockSlackMillis

/** What a snapshot shows besides its manifest, and the bounds that it is checked against. */
export interface Evidence {
  /** Products that disappeared without the changelog saying so. */
  readonly unclaimedRemovals: number
  readonly coverage: ReadonlyArray<Coverage>
  /** Null = not checked: only a first publication is judged by it. */
  readonly strange: StrangeKeys | null
  readonly currencies: ReadonlyArray<CurrencyMove>
  readonly bounds: Bounds
}

/** Up to this share of products, or of a source's prices, a strange key or currency is a mistake of the feed. */
const slips = 0.01

/** Keys that a reason names. */
const mostNamed = 5

/** With one place; a share below 0.1 % keeps its first digit. */
const percentage = (share: number) =>
  share > 0 && share < 0.001 ? String(Number((share * 100).toPrecision(1))) : (share * 100).toFixed(1)
const percent = (share: number) => `${percentage(share)} %`

/** Why a snapshot must not be published as it is; empty if there is no reason. */
export const holdReasons = (manifest: Manifest, previous: Manifest | null, evidence: Evidence) => {
  const { bounds } = evidence
  const reasons: Array<string> = []
  if (previous !== null && isAhead(previous, manifest)) {
    const { extractedAt, gameId } = previous
    const back =
      previous.previous === null ? "release the new reading" : `take that one back with: cardlake rollback ${gameId}`
    reasons.push(
      `the published reading is dated ${extractedAt}, in the future: the clock now says ${manifest.extractedAt}. Check the clock of this machine and run it again; if the clock was wrong then, ${back}`
    )
  }
  for (const check of manifest.checks.filter((check) => check.violations > 0)) {
    reasons.push(`${check.violations} rows of ${check.table} break "${check.check}"`)
  }
  const accepted = offsetListNames.reduce((sum, list) => sum + (manifest.tables[list]?.rows ?? 0), 0)
  const refused = manifest.refused / Math.max(1, accepted + manifest.refused)
  if (refused > bounds.refused) {
    const were = manifest.refused === 1 ? "record was" : "records were"
    reasons.push(`${manifest.refused} ${were} refused (${percent(refused)}), more than ${percent(bounds.refused)}`)
  }
  const before = previous?.tables["products"]?.rows ?? 0
  const disappeared = evidence.unclaimedRemovals
  if (before > 0 && disappeared / before > bounds.removed) {
    reasons.push(
      `${disappeared} of ${before} products disappeared without the changelog saying so, more than ${percent(bounds.removed)}`
    )
  }
  return [...reasons, ...priceReasons(previous === null, evidence), ...strangeReasons(manifest, evidence)]
}

const priceReasons = (isFirst: boolean, { bounds, coverage, currencies }: Evidence): ReadonlyArray<string> => [
  ...coverage
    .filter(({ after, before }) => !isFirst && before - after > bounds.coverage)
    .map(
      ({ after, before, source }) =>
        `${source} prices ${percent(after)} of the products, down from ${percent(before)}: a drop of more than ${percentage(bounds.coverage)} points`
    ),
  ...unpricedReasons(isFirst, coverage),
  ...currencies
    .filter(({ moved, prices }) => moved / prices > slips)
    .map(
      ({ moved, new: currency, old, prices, source }) =>
        `${source} has ${moved} of ${prices} prices in ${currency} that were in ${old}`
    )
]

/** Blocks without any price in the whole game. If that was so before, a person has seen it. */
const unpricedReasons = (isFirst: boolean, coverage: ReadonlyArray<Coverage>): ReadonlyArray<string> => {
  const withBlocks = coverage.filter(({ blocks }) => blocks > 0)
  const isSeen = !isFirst && coverage.every(({ before }) => before === 0)
  if (withBlocks.length === 0 || isSeen || withBlocks.some(({ figures }) => figures > 0)) return []
  const blocks = withBlocks.map(({ blocks, source }) => `${source} for ${blocks} products`)
  return [`there are price blocks (${blocks.join(", ")}) but no price above 0 in any of them`]
}

const strangeReasons = ({ tables }: Manifest, { strange }: Evidence): ReadonlyArray<string> => {
  const share = (strange?.products ?? 0) / Math.max(1, tables["products"]?.rows ?? 0)
  if (strange === null || share <= slips) return []
  const named = strange.keys.slice(0, mostNamed).map((key) => shownText(key, 100))
  const more = strange.keys.length > mostNamed ? ` and ${strange.keys.length - mostNamed} more` : ""
  return [
    `${percent(share)} of the products have prices or external ids under keys that the contract does not know, so no table has them: ${named.join(", ")}${more}`
  ]
}
