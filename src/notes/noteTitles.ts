import { likeDialect } from "../contract/dialects.ts"
import { titleOf, titlesIn } from "../contract/sourceTitles.ts"
import type { Difference, NoteLine } from "./ReleaseNotes.ts"

/** Columns whose words people know by other names; in `known_by` there are several, with commas between them. */
const named = new Set(["source", "system", "known_by"])

/** Lines with sources as people call them. */
export const titled = (found: Pick<Difference, "dialect">, lines: ReadonlyArray<NoteLine>): ReadonlyArray<NoteLine> => {
  const titles = titlesIn(likeDialect(found.dialect))
  return lines.map((line) =>
    Object.fromEntries(
      Object.entries(line).map(([name, text]) => {
        if (text === null || !named.has(name)) return [name, text]
        const words = text.split(", ").map((word) => titleOf(titles, word))
        return [name, words.join(", ")]
      })
    )
  )
}

/** The sections as a person reads them. */
export const titledSections = (found: Difference): Difference["sections"] =>
  found.sections.map((section) => ({ ...section, lines: titled(found, section.lines) }))
