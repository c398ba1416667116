import type { Dialect } from "./dialects.ts"
import { type KeyPath, moveKeys } from "./moveKeys.ts"
import type { PageKind } from "../records.ts"

/** Lists whose records are lines, with nothing of the service around them. */
const isOfLines = (list: PageKind): boolean => list === "catalog" || list === "feedExpansions" || list === "prices"

const none: ReadonlyArray<never> = []

/** A record, changed in place, with its keys where the contract expects them. */
export const rewordRecord = (record: unknown, list: PageKind, { moves }: Dialect): void => {
  const found = moves?.[list]
  if (found !== undefined) moveKeys(record, found)
}

/** A parsed page of a list, changed in place: what is around its records, and each of them. */
export const rewordPage = (json: unknown, list: PageKind, dialect: Dialect | null): unknown => {
  if (dialect?.moves === undefined) return json
  if (!isOfLines(list)) moveKeys(json, dialect.moves["page"] ?? none)
  const data: unknown = typeof json === "object" && json !== null && "data" in json ? json.data : none
  if (Array.isArray(data)) for (const record of data) rewordRecord(record, list, dialect)
  return json
}

/** A parsed answer about feed files. */
export const rewordFeeds = (json: unknown, dialect: Dialect | null): unknown => {
  moveKeys(json, dialect?.moves?.["feeds"] ?? none)
  return json
}

/** The keys that lead to a page's records in its text. */
export const listPath = (list: PageKind, { moves }: Dialect): KeyPath =>
  (isOfLines(list) ? undefined : moves?.["page"])?.find(({ to }) => to.join(".") === "data")?.from ?? ["data"]
