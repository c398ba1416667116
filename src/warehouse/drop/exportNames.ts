import { firstContract } from "../../feed/schema/tableFile.ts"

/** Export names of the lake's columns whose names are reserved words in a warehouse. */
const renamed: Readonly<Record<string, string>> = {
  change: "change_type",
  class: "change_class",
  condition: "card_condition",
  day: "rate_date",
  field: "field_name",
  language: "language_code",
  list: "feed_list",
  new: "new_value",
  old: "old_value",
  position: "list_position",
  snapshot: "snapshot_id",
  source: "price_source",
  system: "id_system"
}

export const exportName = (lakeName: string): string => renamed[lakeName] ?? lakeName

/** Columns that an export leaves out: lists are separate tables; refused records stay in the home with their pages. */
export const omitted: Readonly<Record<string, ReadonlyArray<string>>> = {
  expansions: ["languages"],
  refusals: ["record"],
  changes: ["to_snapshot"],
  price_moves: ["to_snapshot"],
  reconciliations: ["to_snapshot"]
}

/** Types of columns in tables whose headers have none; other columns of these tables are text. */
export const untypedColumns: Readonly<Record<string, string>> = {
  id: "bigint",
  item_id: "bigint",
  is_listed: "boolean"
}

/** Expressions that differ in a partition made from the history, by the lake's column names. */
export const outOfHistory: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  products: { price_extra: "always null: not known" },
  external_ids: { position: "position when sorted by finish and id; an id that the feed lists twice has one row" }
}

const lead = (lakeName: string, type: "VARCHAR" | "DATE" | "TIMESTAMP", comment: string) => ({
  name: exportName(lakeName),
  lakeName,
  type,
  since: firstContract,
  comment
})

/** The leading columns of exported rows, for loaders that cannot read paths. Exchange rates have only the first two. */
export const leadColumns = [
  lead("game_id", "VARCHAR", "the game's id"),
  lead("snapshot_date", "DATE", "the day of the reading, UTC: the dt of the path"),
  lead("snapshot", "VARCHAR", "the night; the run that made it"),
  lead("read_at", "TIMESTAMP", "when the reading was complete, UTC")
]
