/** What a row of somebody's file may say of a card; texts, as the file has them. */
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

/** The file of a tool, known by its headers in any order and any case. */
export interface Format {
  readonly tool: string
  /** Headers that only its files have together. */
  readonly has: ReadonlyArray<string>
  /** Which header says what; of several, the first that is there. */
  readonly says: Readonly<Partial<Record<Field, ReadonlyArray<string>>>>
}

/** A header as formats are compared: a date in it is left out, such as `Market Price (As of 2026-07-19)`. */
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

/** Where in a header each field is. */
export const columnsOf = (format: Format, header: ReadonlyArray<string>): ReadonlyMap<Field, number> => {
  const places = placesOf(header)
  const found = new Map<Field, number>()
  for (const field of fields) {
    const place = (format.says[field] ?? []).map((name) => places.get(headerKey(name))).find((at) => at !== undefined)
    if (place !== undefined) found.set(field, place)
  }
  return found
}

/** The format whose every identifying header is there; of several, the one that knows most of them. Null = none. */
export const formatOf = (formats: ReadonlyArray<Format>, header: ReadonlyArray<string>): Format | null => {
  const places = placesOf(header)
  const fitting = formats.filter(({ has }) => has.every((name) => places.has(headerKey(name))))
  const known = (format: Format) => columnsOf(format, header).size + format.has.length / 100
  return fitting.toSorted((a, b) => known(b) - known(a))[0] ?? null
}
