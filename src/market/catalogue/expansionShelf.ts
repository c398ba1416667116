import type { StoredExpansion } from "./StoredCatalogue.ts"
import type { TextLines } from "./textLines.ts"

/** By release, newest first; without a release date last; then by id. Beyond the spec: section 5. */
export const byNewestRelease = (a: StoredExpansion, b: StoredExpansion): number =>
  a.releaseDate === b.releaseDate ? Number(a.id) - Number(b.id) : a.releaseDate < b.releaseDate ? 1 : -1

/** The expansions of one deployment, newest release first. */
export const expansionShelf = (lines: TextLines): ReadonlyArray<StoredExpansion> =>
  Array.from({ length: lines.size }, (_, index) => {
    const text = lines.line(index)
    const record = JSON.parse(text.toString())
    return {
      id: String(record.id),
      slug: String(record.slug ?? ""),
      releaseDate: String(record.releaseDate ?? ""),
      text
    }
  }).sort(byNewestRelease)
