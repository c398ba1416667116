/** The facts about a card that a row of a collection file may have, as texts exactly as in the file. */
export const fields = [
  "list",
  "listKind",
  "watched",
  "game",
  "gameId",
  "productId",
  "sourceEur",
  "sourceUsd",
  "mtgId",
  "name",
  "setCode",
  "setName",
  "number",
  "finish",
  "alsoFinish",
  "quantity",
  "foilQuantity",
  "playset",
  "condition",
  "language",
  "grade",
  "altered",
  "signed",
  "misprint",
  "proxy",
  "paid",
  "currency",
  "added"
] as const
export type Field = (typeof fields)[number]

/** The file format of a tool. Its headers identify it, in any order and letter case. */
export interface Format {
  readonly tool: string
  /** Headers that together identify the tool. */
  readonly has: ReadonlyArray<string>
  /** The headers of each field; the first existing one is used. */
  readonly says: Readonly<Partial<Record<Field, ReadonlyArray<string>>>>
}

/** Normalizes a header for comparison, without a date, as in `Market Price (As of 2026-07-19)`. */
export const headerKey = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/\s*\(as of [^)]*\)$/, "")

const placesOf = (header: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  for (const [place, name] of header.entries()) if (!places.has(headerKey(name))) places.set(headerKey(name), place)
  return places
}

/** Returns the column index of each field. */
export const columnsOf = (format: Format, header: ReadonlyArray<string>): ReadonlyMap<Field, number> => {
  const places = placesOf(header)
  const found = new Map<Field, number>()
  for (const field of fields) {
    const place = (format.says[field] ?? []).map((name) => places.get(headerKey(name))).find((at) => at !== undefined)
    if (place !== undefined) found.set(field, place)
  }
  return found
}

/** Returns the format with all its identifying headers present; of several, the one with the most. Null = none. */
export const formatOf = (formats: ReadonlyArray<Format>, header: ReadonlyArray<string>): Format | null => {
  const places = placesOf(header)
  const fitting = formats.filter(({ has }) => has.every((name) => places.has(headerKey(name))))
  const known = (format: Format) => columnsOf(format, header).size + format.has.length / 100
  return fitting.toSorted((a, b) => known(b) - known(a))[0] ?? null
}
