import { type SourceTitles, titleOf } from "../../feed/contract/sourceTitles.ts"
import type { Column } from "./dataTable.ts"
import type { Row } from "./LakeReader.ts"
import type { SourceNames } from "./sourceNames.ts"

/** A column of sources, or of what may be one, as people call them. */
export const sourceColumn = ({ titles }: SourceNames, name: string, label = name): Column => ({
  name,
  label,
  shows: (row) => sourceIn(titles, row, name)
})

const sourceIn = (titles: SourceTitles, row: Row, name: string): string => {
  const word = row[name] ?? null
  return word === null ? "" : titleOf(titles, String(word))
}
