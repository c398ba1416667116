import type { Effect } from "effect"
import type { runDiff } from "./runDiff.ts"
import { grouped, textTable } from "./textTable.ts"

type Found = Effect.Success<ReturnType<typeof runDiff>>

/** The difference for a person: counts first, then the first rows of each kind. */
export const diffText = (found: Found): string => {
  const { expansions, products } = found.changes
  const counts = textTable(
    ["", "added", "removed", "modified", "in the catalogue", "in prices"],
    [countsRow("products", products), countsRow("expansions", expansions)]
  )
  return [
    `${found.gameId}: ${found.from} (${found.fromDeployment ?? "no deployment"}) → ${found.to} (${found.toDeployment ?? "no deployment"})`,
    counts,
    reconciliationLine(found),
    ...section("Catalogue", ["entity", "id", "name", "change", "field", "old", "new"], found.catalogue),
    ...section("Greatest moves of market value", ["id", "name", "finish", "source", "old", "new"], found.prices),
    ...section(
      "Not explained by the changelog",
      ["entity", "id", "slug", "claimed", "seen", "status"],
      found.unexplained
    )
  ].join("\n")
}

const countsRow = (name: string, counted: Found["changes"]["products"]) => [
  name,
  grouped(counted.added),
  grouped(counted.removed),
  grouped(counted.modified),
  grouped(counted.modifiedCatalogue),
  grouped(counted.modifiedPrice)
]

const reconciliationLine = ({ reconciliation }: Found): string => {
  if (reconciliation === null) return "Changelog: claims nothing backwards in time"
  const { claimedNotSeen, confirmed, seenNotClaimed, unexplained } = reconciliation
  return `Changelog: ${grouped(confirmed)} items confirmed, ${grouped(claimedNotSeen)} claimed but not seen, ${grouped(seenNotClaimed)} seen but not claimed, ${grouped(unexplained)} unexplained`
}

const longest = 48
const short = (text: string | null) =>
  text !== null && text.length > longest ? `${text.slice(0, longest - 1)}…` : text

const section = (title: string, names: ReadonlyArray<string>, rows: ReadonlyArray<Record<string, string | null>>) =>
  rows.length === 0
    ? []
    : [
        "",
        title,
        textTable(
          names,
          rows.map((row) => names.map((name) => short(row[name] ?? null)))
        )
      ]
