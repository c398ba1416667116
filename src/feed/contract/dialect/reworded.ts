import type { Dialect } from "./dialects.ts"
import { type KeyPath, moveKeys } from "./moveKeys.ts"
import type { PageKind } from "../records.ts"

/** Lists whose records are lines without an envelope. */
const isOfLines = (list: PageKind): boolean => list === "catalog" || list === "feedExpansions" || list === "prices"

const none: ReadonlyArray<never> = []

/** Moves the keys of a record in place to the paths of the contract. */
export const rewordRecord = (record: unknown, list: PageKind, { moves }: Dialect): void => {
  const found = moves?.[list]
  if (found !== undefined) moveKeys(record, found)
}

/** Moves the keys of a parsed page in place: those of its envelope and of each record. */
export const rewordPage = (json: unknown, list: PageKind, dialect: Dialect | null): unknown => {
  if (dialect?.moves === undefined) return json
  if (!isOfLines(list)) moveKeys(json, dialect.moves["page"] ?? none)
  const data: unknown = typeof json === "object" && json !== null && "data" in json ? json.data : none
  if (Array.isArray(data)) for (const record of data) rewordRecord(record, list, dialect)
  return json
}

/** Moves the keys of a parsed answer about feed files. */
export const rewordFeeds = (json: unknown, dialect: Dialect | null): unknown => {
  moveKeys(json, dialect?.moves?.["feeds"] ?? none)
  return json
}

/** Returns the path of the records in a page's text. */
export const listPath = (list: PageKind, { moves }: Dialect): KeyPath =>
  (isOfLines(list) ? undefined : moves?.["page"])?.find(({ to }) => to.join(".") === "data")?.from ?? ["data"]
