import { firstContract } from "../../feed/schema/tableFile.ts"

/** Names in the lake that some warehouse reserves, and what a drop calls them. */
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

/** What a drop calls a column of the lake. */
export const exportName = (lakeName: string): string => renamed[lakeName] ?? lakeName

/** Columns that a drop leaves out: lists are tables of their own, a refused record stays in the home with its page. */
export const omitted: Readonly<Record<string, ReadonlyArray<string>>> = {
  expansions: ["languages"],
  refusals: ["record"],
  changes: ["to_snapshot"],
  reconciliations: ["to_snapshot"]
}

/** Types that a table's header leaves out; any other column of such a table is text. */
export const untypedColumns: Readonly<Record<string, string>> = {
  id: "bigint",
  item_id: "bigint",
  is_listed: "boolean"
}

/** How a column differs in a partition made from the history, by the lake's names. */
export const outOfHistory: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  products: { price_extra: "always null, as it is not known" },
  external_ids: { position: "the position by finish and id instead; an id that the feed lists twice is there once" }
}

const lead = (lakeName: string, type: "VARCHAR" | "DATE" | "TIMESTAMP", comment: string) => ({
  name: exportName(lakeName),
  lakeName,
  type,
  since: firstContract,
  comment
})

/** The first columns of every row of a drop, for loaders that do not see the path; a rate has only the first two. */
export const leadColumns = [
  lead("game_id", "VARCHAR", "the game's id"),
  lead("snapshot_date", "DATE", "the day of the reading, UTC: the dt of the path"),
  lead("snapshot", "VARCHAR", "the night; the run that made it"),
  lead("read_at", "TIMESTAMP", "when the reading was complete, UTC")
]
