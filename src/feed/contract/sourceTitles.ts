import type { Dialect } from "./dialect/dialects.ts"

/** What people call those whose prices the feed has, by the words of column `source`. */
export type SourceTitles = ReadonlyMap<string, string>

export const titlesIn = ({ sources }: Dialect): SourceTitles =>
  new Map(Object.entries(sources).map(([source, { title }]) => [source, title]))

/**
 * What a person reads for a source, a region of the marketplace (`marketplace.eu`), or a system of ids that is a source;
 * any other word stays as it is.
 */
export const titleOf = (titles: SourceTitles, word: string): string => {
  const [source = "", region] = word.split(".")
  const title = titles.get(source)
  if (title === undefined) return word
  return region === undefined ? title : `${title} ${region.toUpperCase()}`
}
