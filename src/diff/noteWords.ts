import type { Difference, ToldSection } from "./ReleaseNotes.ts"

/** 104746 reads 104,746. */
export const counted = (count: number): string => count.toLocaleString("en-US")

/** 1 product, 2 products. */
export const items = (count: number, one: string): string => `${counted(count)} ${one}${count === 1 ? "" : "s"}`

/** What a section tells of: 18 products, 1 expansion. */
export const itemsOf = ({ deployments, expansions, products }: ToldSection): string =>
  [
    products > 0 ? items(products, "product") : "",
    expansions > 0 ? items(expansions, "expansion") : "",
    deployments > 0 ? items(deployments, "deployment") : ""
  ]
    .filter((part) => part !== "")
    .join(", ")

/** How many of the counted products are the same under another id; empty when none. */
export const identitiesSentence = ({ changes: { products }, identities }: Difference): string => {
  const { merged, replaced, reused } = identities
  const parts = [
    replaced > 0
      ? `${counted(replaced)} came back under a new id (as many of the ${counted(products.added)} added are not new)`
      : "",
    merged > 0 ? `${counted(merged)} ${merged === 1 ? "was" : "were"} merged into another` : ""
  ].filter((part) => part !== "")
  const removed = parts.length > 0 ? `Of ${items(products.removed, "removed product")}, ${parts.join(" and ")}.` : ""
  const others =
    reused > 0 ? `${items(reused, "id")} now ${reused === 1 ? "stands" : "stand"} for another product.` : ""
  return [removed, others].filter((sentence) => sentence !== "").join(" ")
}

/** How the changelog's claims came out. */
export const changelogSentence = ({ reconciliation }: Difference): string => {
  if (reconciliation === null) return "Changelog: claims nothing backwards in time"
  const { claimedNotSeen, confirmed, seenNotClaimed, unexplained } = reconciliation
  return `Changelog: ${counted(confirmed)} items confirmed, ${counted(claimedNotSeen)} claimed but not seen, ${counted(seenNotClaimed)} seen but not claimed, ${counted(unexplained)} unexplained`
}

/** Which price moves are told. */
export const boundsSentence = ({ bounds, movesFromZero }: Difference): string => {
  const zero = movesFromZero > 0 ? `; ${counted(movesFromZero)} more rose from 0, of which no percent can be told` : ""
  return `Market values that moved by ${bounds.minMove} % or more, where the greater price is at least ${bounds.minPrice}${zero}.`
}

/** The command that prints every change of this difference. */
export const everyChange = ({ from, gameId, to }: Difference): string =>
  `cardlake diff ${gameId} ${from} ${to} --format csv`

/** A deployment's instant as a person reads it: 2026-08-12 12:19 UTC. */
export const instant = (at: string | null): string => (at === null ? "" : `${at.slice(0, 16).replace("T", " ")} UTC`)
