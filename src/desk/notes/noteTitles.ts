import { likeDialect } from "../../feed/contract/dialect/dialects.ts"
import { titleOf, titlesIn } from "../../feed/contract/sourceTitles.ts"
import { changedWords } from "./changedWords.ts"
import type { Difference, NoteLine } from "./ReleaseNotes.ts"

/** Columns whose words people know by other names; in `known_by` there are several, with commas between them. */
const named = new Set(["source", "system", "known_by"])

/** Lines with sources as people call them, and what changed in a list instead of both lists. */
export const titled = (found: Pick<Difference, "dialect">, lines: ReadonlyArray<NoteLine>): ReadonlyArray<NoteLine> => {
  const titles = titlesIn(likeDialect(found.dialect))
  return lines.map((line) => {
    const told = line["field"] === undefined ? line : { ...line, ...changedLine(line) }
    return Object.fromEntries(
      Object.entries(told).map(([name, text]) => {
        if (text === null || !named.has(name)) return [name, text]
        const words = text.split(", ").map((word) => titleOf(titles, word))
        return [name, words.join(", ")]
      })
    )
  })
}

/** What an item was added or removed as has no field, and is a name. */
const changedLine = (line: NoteLine): NoteLine =>
  line["field"] === null ? {} : { ...changedWords(line["field"] ?? null, line["old"] ?? null, line["new"] ?? null) }

/** The sections as a person reads them. */
export const titledSections = (found: Difference): Difference["sections"] =>
  found.sections.map((section) => ({ ...section, lines: titled(found, section.lines) }))
