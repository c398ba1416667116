import type { Json } from "@duckdb/node-api"
import { parsedJson, readable, spelledOut, withoutMidnight, wordsOf } from "./readable.ts"

/** Both sides of a change as people read them. */
interface Changed {
  readonly old: string
  readonly new: string
}

const jsonFields = /^(languages|finishes|translations|attributes|extra|external_ids\..*)$/

/**
 * A change of a field. Of a list or an object, which are JSON, only what differs: `["en","de"]` that becomes
 * `["en","fr"]` reads removed: de, added: fr.
 */
export const changedWords = (field: Json | undefined, old: Json | undefined, now: Json | undefined): Changed => {
  if (!jsonFields.test(String(field ?? ""))) return { old: plainText(old), new: plainText(now) }
  const [before, after] = [parsedJson(old), parsedJson(now)]
  return before === undefined || after === undefined
    ? { old: readable(old), new: readable(now) }
    : differing(before, after)
}

/** A text of any other field is itself, also if it looks like a list. */
const plainText = (value: Json | undefined): string => withoutMidnight(String(value ?? ""))

const differing = (before: Json, after: Json): Changed => {
  if (Array.isArray(before) && Array.isArray(after)) return differingLists(before, after)
  return isObject(before) && isObject(after)
    ? differingObjects(before, after)
    : { old: spelledOut(before), new: spelledOut(after) }
}

const differingLists = (before: ReadonlyArray<Json>, after: ReadonlyArray<Json>): Changed => {
  const [removed, added] = [without(before, after), without(after, before)]
  // Nothing in common, or another order: both lists say more than their difference.
  if (removed.length === before.length || added.length === after.length || removed.length + added.length === 0) {
    return { old: spelledOut([...before]), new: spelledOut([...after]) }
  }
  const side = (word: string, items: ReadonlyArray<Json>) =>
    items.length === 0 ? "" : `${word}: ${spelledOut([...items])}`
  return { old: side("removed", removed), new: side("added", added) }
}

/** Items of a list beyond those of another, each as often as it is there more. */
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
  text === "" ? "" : `${wordsOf(key)}${/^(removed|added): /.test(text) ? " " : ": "}${text}`
