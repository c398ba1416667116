import { shellWord } from "../../feed/contract/shellWord.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import { formatAmount, grouped } from "../../store/diff/formatAmount.ts"
import type { Difference, NoteLines, NoteLine } from "./readReleaseNotes.ts"
import { likeDialect } from "../../feed/contract/dialect/dialects.ts"
import { sourceTitle, titlesIn } from "../../feed/contract/sourceTitles.ts"
import {
  type Document,
  type DocumentBlock,
  type DocumentColumn,
  type DocumentSection,
  maxTextLength,
  type Sentence
} from "../pages/document.ts"
import { changedWords } from "./changedWords.ts"
import { changeTiles, differenceCharts } from "./noteCharts.ts"
import { filledColumns, type NoteSectionName, noteSections } from "./noteSections.ts"

export const notesDocument = (found: Difference): Document => ({
  kicker: "Release notes",
  title: [shownText(found.gameName, maxTextLength), ": what changed"],
  intro: [
    {
      sentence: [
        "From ",
        ...end(found.fromDeployment, found.fromDeployedAt, found.from),
        " to ",
        ...end(found.toDeployment, found.toDeployedAt, found.to),
        "."
      ]
    },
    ...describeCounts(found),
    { drawing: differenceCharts(found) },
    { sentence: found.sections.length === 0 ? "No changes." : "" }
  ],
  sections: found.sections.map((section) => {
    return noteSection(found, section, writeCaption(found, section.section))
  }),
  foot: [
    "All changes, field by field: ",
    { code: `cardlake diff ${shellWord(found.gameId)} ${found.from} ${found.to} --format csv` }
  ]
})

/** A snapshot's deployment and the instant of that; the snapshot's id if it has no deployment. */
const end = (deployment: string | null, at: string | null, snapshot: string): Exclude<Sentence, string> =>
  deployment === null
    ? ["snapshot ", { code: snapshot }]
    : [{ code: deployment }, at === null ? "" : ` (${at.slice(0, 16).replace("T", " ")} UTC)`]

/** Describes the counts of a difference, and how the changelog's claims compare. */
export const describeCounts = (found: Difference): ReadonlyArray<DocumentBlock> => {
  const columns = ["", "added", "removed", "modified", "in the catalogue", "in prices"].map(
    (label): DocumentColumn => ({ label, shape: label === "" ? "text" : "figure" })
  )
  const rows = (["products", "expansions"] as const).map((name): ReadonlyArray<string> => {
    const { added, modified, modifiedCatalogue, modifiedPrice, removed } = found.changes[name]
    return Array.of<string>(name).concat([added, removed, modified, modifiedCatalogue, modifiedPrice].map(grouped))
  })
  return [
    { sentence: heldSentence(found), isStrong: true },
    { drawing: changeTiles(found), table: { caption: "", columns, rows } },
    { sentence: identitiesSentence(found) },
    { sentence: `${changelogSentence(found)}.` }
  ]
}

/** A section with its first lines; `caption` is the sentence above them. */
export const noteSection = (found: Difference, section: NoteLines, caption: string): DocumentSection => {
  const { deployments, expansions, products, section: name, total } = section
  const lines = titled(found, section.lines)
  const columns = filledColumns(name, lines)
  return {
    id: name,
    title: noteSections[name].title,
    amount: countItems(section),
    count: products + expansions + deployments,
    says: [],
    tables: [{ caption, columns, rows: lines.map((line) => columns.map((column) => line[column.name] ?? "")) }],
    more: total - lines.length
  }
}

/** Describes the number of items in a section: 18 products, 1 expansion. */
export const countItems = ({ deployments, expansions, products }: NoteLines): string =>
  [
    products > 0 ? formatAmount(products, "product") : "",
    expansions > 0 ? formatAmount(expansions, "expansion") : "",
    deployments > 0 ? formatAmount(deployments, "deployment") : ""
  ]
    .filter((part) => part !== "")
    .join(", ")

/** Says how many of the counted products only changed their id; empty if none. */
export const identitiesSentence = ({ changes: { products }, identities }: Difference): string => {
  const { merged, replaced, reused } = identities
  const parts = [
    replaced > 0
      ? `${grouped(replaced)} got a new id (so ${grouped(replaced)} of the ${grouped(products.added)} added are not new)`
      : "",
    merged > 0 ? `${grouped(merged)} ${merged === 1 ? "was" : "were"} merged into another` : ""
  ].filter((part) => part !== "")
  const removed =
    parts.length > 0 ? `Of ${formatAmount(products.removed, "removed product")}, ${parts.join(" and ")}.` : ""
  const others =
    reused > 0 ? `${formatAmount(reused, "id")} now ${reused === 1 ? "belongs" : "belong"} to another product.` : ""
  return [removed, others].filter((sentence) => sentence !== "").join(" ")
}

/** Says that the difference is not published; empty if it is. */
const heldSentence = ({ held }: Difference): string =>
  held === undefined
    ? ""
    : `Held: the later snapshot is not published${held.length === 0 ? "" : `. Reasons: ${held.join("; ")}`}.`

/** Says how the changelog's claims compare with the computed changes. */
export const changelogSentence = ({ reconciliation }: Difference): string => {
  if (reconciliation === null) return "Changelog: not compared, because the second snapshot is older"
  const { byCount = 0, claimedNotSeen, confirmed, seenNotClaimed, unexplained } = reconciliation
  const counted = byCount === 0 ? "" : `, ${grouped(byCount)} matched by number only`
  return `Changelog: ${grouped(confirmed)} items confirmed, ${grouped(claimedNotSeen)} claimed but not seen, ${grouped(seenNotClaimed)} seen but not claimed, ${grouped(unexplained)} unexplained${counted}`
}

export const boundsSentence = ({ bounds, movesFromZero }: Difference): string => {
  const zero = movesFromZero > 0 ? `; ${grouped(movesFromZero)} more rose from 0 and have no percentage` : ""
  return `Market values that moved by ${bounds.minMove} % or more, where the higher price is at least ${bounds.minPrice}${zero}.`
}

/** The sentence above a section: its limits, or what it has and what that is worth. */
export const writeCaption = (found: Difference, section: NoteSectionName): string => {
  if (section === "moves") return boundsSentence(found)
  const worth = found.values
    .filter((value) => value.section === section)
    .map(
      ({ currency, products, value }) => `${grouped(inCents(value))} ${currency} (${formatAmount(products, "product")})`
    )
  const { says } = noteSections[section]
  return worth.length === 0 ? says : `${says} Market value of one of each: ${worth.join(", ")}.`
}

/** Returns an amount with at least two decimal places: 297.3 becomes 297.30. */
const inCents = (amount: string): string => {
  const [whole = "", places = ""] = amount.split(".")
  return `${whole}.${places.padEnd(2, "0")}`
}

/** Columns whose values have display names; `known_by` is a comma-separated list of such values. */
const named = new Set(["source", "system", "known_by"])

/** Replaces sources in lines by their display names, and two versions of a list by their difference. */
export const titled = (found: Pick<Difference, "dialect">, lines: ReadonlyArray<NoteLine>): ReadonlyArray<NoteLine> => {
  const titles = titlesIn(likeDialect(found.dialect))
  return lines.map((line) => {
    const described = line["field"] === undefined ? line : { ...line, ...changedLine(line) }
    return Object.fromEntries(
      Object.entries(described).map(([name, text]) => {
        if (text === null || !named.has(name)) return [name, text]
        const words = text.split(", ").map((word) => sourceTitle(titles, word))
        return [name, words.join(", ")]
      })
    )
  })
}

/** The value of an added or removed item has no field; it is a name. */
const changedLine = (line: NoteLine): NoteLine =>
  line["field"] === null ? {} : { ...changedWords(line["field"] ?? null, line["old"] ?? null, line["new"] ?? null) }
