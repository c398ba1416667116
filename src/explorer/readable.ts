import type { Json } from "@duckdb/node-api"

/** A text of the feed as people read it: JSON loses its marks, an instant its midnight. Other texts stay as they are. */
export const readable = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return spelledOut(value)
  const parsed = /^[[{]/.test(value) ? parsedJson(value) : undefined
  return parsed === undefined ? withoutMidnight(value) : spelledOut(parsed)
}

/** The words of a key: `cardType` and `card_type` read card type. */
export const wordsOf = (key: string): string =>
  key
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|[_-]+/gu, " ")
    .trim()
    .toLowerCase()

const parsedJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const spelledOut = (value: Json): string => {
  if (value === null) return "none"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value !== "object") return withoutMidnight(String(value))
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(spelledOut).join(", ")
  return Object.entries(value)
    .map(([key, one]) => `${wordsOf(key)}: ${spelledOut(one)}`)
    .join("; ")
}

const withoutMidnight = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z$/, "$1")
