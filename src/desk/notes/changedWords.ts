import type { Json } from "@duckdb/node-api"

/** Formats a text of the feed: removes JSON syntax, and midnight from an instant. Other texts are unchanged. */
export const readable = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return spelledOut(value)
  const parsed = parsedJson(value)
  return parsed === undefined ? withoutMidnight(value) : spelledOut(parsed)
}

/** Splits a key into words: `cardType` and `card_type` become card type. */
export const splitWords = (key: string): string =>
  key
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|[_-]+/gu, " ")
    .trim()
    .toLowerCase()

/** Parses a list or an object; undefined = the text is neither. */
export const parsedJson = (text: Json | undefined): Json | undefined => {
  if (typeof text !== "string" || !/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Formats JSON as words; an id of a finish becomes Foil 7. */
export const spelledOut = (value: Json): string => {
  if (value === null) return "none"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value !== "object") return withoutMidnight(String(value))
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(spelledOut).join(", ")
  const { finish, id, ...rest } = value
  if (typeof finish === "string" && typeof id === "string" && Object.keys(rest).length === 0) return `${finish} ${id}`
  return Object.entries(value)
    .map(([key, one]) => `${splitWords(key)}: ${spelledOut(one)}`)
    .join("; ")
}

export const withoutMidnight = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z$/, "$1")

/** Both sides of a change as text for people. */
interface Changed {
  readonly old: string
  readonly new: string
}

const jsonFields = /^(languages|finishes|translations|attributes|extra|external_ids\..*)$/

/**
 * Formats a change of a field. A list or an object is JSON; only its difference is shown: a change from `["en","de"]`
 * to `["en","fr"]` becomes removed: de, added: fr.
 */
export const changedWords = (field: Json | undefined, old: Json | undefined, now: Json | undefined): Changed => {
  if (!jsonFields.test(String(field ?? ""))) return { old: plainText(old), new: plainText(now) }
  const [before, after] = [parsedJson(old), parsedJson(now)]
  return before === undefined || after === undefined
    ? { old: readable(old), new: readable(now) }
    : differing(before, after)
}

/** Formats a field that is not JSON, even if it looks like a list. */
const plainText = (value: Json | undefined): string => withoutMidnight(String(value ?? ""))

const differing = (before: Json, after: Json): Changed => {
  if (Array.isArray(before) && Array.isArray(after)) return differingLists(before, after)
  return isObject(before) && isObject(after)
    ? differingObjects(before, after)
    : { old: spelledOut(before), new: spelledOut(after) }
}

const differingLists = (before: ReadonlyArray<Json>, after: ReadonlyArray<Json>): Changed => {
  const [removed, added] = [without(before, after), without(after, before)]
  // With nothing in common, or only another order, both lists are clearer than their difference.
  if (removed.length === before.length || added.length === after.length || removed.length + added.length === 0) {
    return { old: spelledOut([...before]), new: spelledOut([...after]) }
  }
  const side = (word: string, items: ReadonlyArray<Json>) =>
    items.length === 0 ? "" : `${word}: ${spelledOut([...items])}`
  return { old: side("removed", removed), new: side("added", added) }
}

/** Returns a list without the items of another; each of those removes one occurrence. */
const without = (items: ReadonlyArray<Json>, others: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const left = others.map((item) => JSON.stringify(item))
  return items.filter((item) => {
    const place = left.indexOf(JSON.stringify(item))
    if (place !== -1) left.splice(place, 1)
    return place === -1
  })
}

type JsonObject = Readonly<Record<string, Json>>

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const differingObjects = (before: JsonObject, after: JsonObject): Changed => {
  const sides = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): ReadonlyArray<Changed> => {
    const [was, is] = [before[key], after[key]]
    if (JSON.stringify(was) === JSON.stringify(is)) return []
    if (is === undefined) return [{ old: `removed: ${named(key, spelledOut(was ?? null))}`, new: "" }]
    if (was === undefined) return [{ old: "", new: `added: ${named(key, spelledOut(is))}` }]
    const changed = differing(was, is)
    return [{ old: named(key, changed.old), new: named(key, changed.new) }]
  })
  const joined = (side: "old" | "new") =>
    sides
      .map((changed) => changed[side])
      .filter((text) => text !== "")
      .join("; ")
  return { old: joined("old"), new: joined("new") }
}

const named = (key: string, text: string): string =>
  text === "" ? "" : `${splitWords(key)}${/^(removed|added): /.test(text) ? " " : ": "}${text}`
