import { parseCopies, parseMoney } from "./figures.ts"
import { type Field, fields, headerWords } from "./headerWords.ts"
import { foldWords } from "./parseWords.ts"

/** What is known of a tool's files beyond the words of their headers. Lists of headers have commas. */
export interface Format {
  readonly tool: string
  /** The only game that the tool knows; missing = it knows several. */
  readonly game?: string
  /** Headers that together identify the tool, in any order. */
  readonly has: string
  /** The header of a field that its words do not tell; of several, as in `Simple Name/Name`, the first with a value counts. */
  readonly says?: Readonly<Partial<Record<Field, string>>>
  /** Headers whose words mislead. */
  readonly ignores?: string
}

/** A table's columns: the indexes of each field's columns, and the headers that no field has. */
export interface Columns {
  readonly places: ReadonlyMap<Field, ReadonlyArray<number>>
  readonly unused: ReadonlyArray<string>
}

/** Normalizes a header for comparison, without a date, as in `Market Price (As of 2026-07-19)`. */
export const headerKey = (header: string): string => {
  const text = header.trim().replace(/\s*\(as of [^)]*\)$/i, "")
  if (/^product_id$/i.test(text) || text === "#") return text.toLowerCase()
  return foldWords(text.replaceAll(/#|n°/gi, " no ")).join("")
}

/** Returns the format whose identifying headers are all present; of several, the one with the most. Null = none. */
export const detectFormat = (formats: ReadonlyArray<Format>, header: ReadonlyArray<string>): Format | null => {
  const keys = new Set(header.map(headerKey))
  const fitting = formats.filter(({ has }) => has.split(", ").every((name) => keys.has(headerKey(name))))
  return fitting.toSorted((a, b) => b.has.split(", ").length - a.has.split(", ").length)[0] ?? null
}

const isDate = (text: string): boolean => /^\d{4}[-./]\d{1,2}[-./]\d{1,2}|^\d{1,2}[-./]\d{1,2}[-./]\d{2,4}/.test(text)

/** Whether a value can belong to a field, for headers whose word leaves that open. */
const fits: Readonly<Partial<Record<Field, (text: string, place: number) => boolean>>> = {
  rowNumber: (text, place) => Number(text) === place + 1,
  setCode: (text) => /^[\p{L}\d]{2,5}$/u.test(text),
  name: (text) => /\p{L}/u.test(text),
  number: (text) => /^\p{L}[\p{L}\d]{1,5}[- ]?(\p{L}{2})?\d+\p{L}?$/u.test(text),
  quantity: (text) => parseCopies(text) !== null,
  foilQuantity: (text) => parseCopies(text) !== null,
  paid: (text) => !isDate(text) && parseMoney(text, ".") !== null,
  added: isDate
}

const words = new Map(
  fields.map((field) => [
    field,
    headerWords[field].split(" ").map((word) => /^([^?+]+)(\?)?(?:\+(.*))?$/.exec(word) ?? [])
  ])
)

/** Finds the columns of each field: those that the tool's format names, else the first whose header has a word for it. */
export const findColumns = (
  format: Format | null,
  header: ReadonlyArray<string>,
  sample: ReadonlyArray<ReadonlyArray<string>>
): Columns => {
  const places = new Map<string, number>()
  // A header such as `Price paid (EUR)` counts without its brackets where no other has that word.
  for (const texts of [header, header.map((name) => name.replace(/\s*[([][^)\]]*[)\]]\s*$/, ""))])
    for (const [place, name] of texts.entries()) if (!places.has(headerKey(name))) places.set(headerKey(name), place)
  const findPlaces = (names: ReadonlyArray<string>) => names.flatMap((name) => places.get(headerKey(name)) ?? [])
  const found = new Map<Field, ReadonlyArray<number>>()
  for (const field of fields) {
    const names = format?.says?.[field]
    if (names !== undefined) found.set(field, findPlaces(names.split("/")))
  }
  const used = new Set([...[...found.values()].flat(), ...findPlaces(format?.ignores?.split(", ") ?? [])])
  const doFit = (field: Field, place: number): boolean => {
    const values = sample.flatMap((cells) => cells[place] || [])
    const fitting = values.filter((value, at) => fits[field]?.(value, at) ?? true).length
    // One card with the number 1 does not count rows.
    return field === "rowNumber"
      ? values.length > 1 && fitting === values.length
      : fitting * 2 >= Math.max(1, values.length)
  }
  for (const field of fields) {
    if (found.has(field)) continue
    const place = (words.get(field) ?? [])
      .filter(([, word = "", isOpen, other]) => {
        const at = places.get(word)
        if (at === undefined || used.has(at)) return false
        return isOpen === undefined && other === undefined
          ? true
          : doFit(field, at) && (other === undefined || places.has(other))
      })
      .map(([, word = ""]) => places.get(word))[0]
    if (place === undefined) continue
    used.add(place)
    found.set(field, [place])
  }
  const unused = header.filter((name, place) => name !== "" && !used.has(place))
  return { places: found, unused }
}

const identities: ReadonlyArray<Field> = ["name", "productId", "sourceEur", "sourceUsd", "mtgId"]

/** True if the columns say which card a row is. */
export const identifyCards = ({ places }: Columns): boolean =>
  identities.some((field) => places.has(field)) ||
  (places.has("number") && (["setCode", "setName", "set"] as const).some((field) => places.has(field)))
