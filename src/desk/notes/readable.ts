import type { Json } from "@duckdb/node-api"

/** A text of the feed as people read it: JSON loses its marks, an instant its midnight. Other texts stay as they are. */
export const readable = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return spelledOut(value)
  const parsed = parsedJson(value)
  return parsed === undefined ? withoutMidnight(value) : spelledOut(parsed)
}

/** The words of a key: `cardType` and `card_type` read card type. */
export const wordsOf = (key: string): string =>
  key
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|[_-]+/gu, " ")
    .trim()
    .toLowerCase()

/** The list or object that a text is; undefined = it is none. */
export const parsedJson = (text: Json | undefined): Json | undefined => {
  if (typeof text !== "string" || !/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** JSON in words; an id of a finish reads Foil 7. */
export const spelledOut = (value: Json): string => {
  if (value === null) return "none"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value !== "object") return withoutMidnight(String(value))
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(spelledOut).join(", ")
  const { finish, id, ...rest } = value
  if (typeof finish === "string" && typeof id === "string" && Object.keys(rest).length === 0) return `${finish} ${id}`
  return Object.entries(value)
    .map(([key, one]) => `${wordsOf(key)}: ${spelledOut(one)}`)
    .join("; ")
}

export const withoutMidnight = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z$/, "$1")
