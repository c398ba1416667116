import { Effect } from "effect"
import { dialects } from "../contract/dialects.ts"
import { type SourceTitles, titleOf, titlesIn } from "../contract/sourceTitles.ts"
import type { Column } from "./dataTable.ts"
import type { LakeView, Row } from "./LakeReader.ts"
import { queryNamed } from "./queryNamed.ts"

/** What the lake says of those whose prices it has. */
export interface SourceNames {
  readonly titles: SourceTitles
  /** Home pages; none that a browser would not open as one. */
  readonly urls: ReadonlyMap<string, string>
}

const priceSources = queryNamed("price_sources")

/** The names of an open lake; those of the spec if an earlier release built it, which had no such table. */
export const namesInLake = Effect.fnUntraced(function* (rows: LakeView["rows"]) {
  const [found] = yield* rows(
    "Look for the names of the sources",
    "select 1 from duckdb_tables() where database_name = 'lake' and table_name = 'price_sources'"
  )
  if (found === undefined) return { titles: titlesIn(dialects.spec), urls: new Map() } satisfies SourceNames
  const named = yield* rows("Read the names of the sources", priceSources)
  const texts = (column: string) =>
    new Map(
      named.flatMap((row) => (row[column] === null ? [] : [[String(row["source"]), String(row[column])] as const]))
    )
  return { titles: texts("title"), urls: texts("url") } satisfies SourceNames
})

/** A column of sources, or of what may be one, as people call them. */
export const sourceColumn = ({ titles }: SourceNames, name: string, label = name): Column => ({
  name,
  label,
  shows: (row) => sourceIn(titles, row, name)
})

/** The same with links to their home pages. */
export const linkedSources = (sources: SourceNames, name: string): Column => ({
  ...sourceColumn(sources, name),
  link: (row) => sources.urls.get(String(row[name])) ?? null
})

const sourceIn = (titles: SourceTitles, row: Row, name: string): string => {
  const word = row[name] ?? null
  return word === null ? "" : titleOf(titles, String(word))
}
