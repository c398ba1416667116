import { Effect } from "effect"
import { choiceField, type Field } from "../../pages/chooseForm.ts"
import type { Row } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { type PageRequest, readChoice, expansionAddress, productAddress } from "../PageRequest.ts"
import { changedWords } from "../../notes/changedWords.ts"
import { queryNamed } from "../queryNamed.ts"
import type { Column } from "../dataTable.ts"

const entities = ["all", "product", "expansion"] as const
const classes = ["catalogue", "price", "all"] as const
const kinds = ["all", "added", "removed", "modified"] as const
const statuses = ["all", "confirmed", "claimed_not_seen", "seen_not_claimed"] as const

/** The list of changes, one row per field, filtered by the address. */
export const changeList = Effect.fnUntraced(function* (
  request: PageRequest,
  gameId: string,
  rows: PageRequest["lake"]["rows"]
) {
  const entity = yield* readChoice(request, "entity", entities)
  const kind = yield* readChoice(request, "class", classes)
  const change = yield* readChoice(request, "change", kinds)
  const field = (request.query.get("field") ?? "").trim()
  const list = yield* listing(
    request,
    {
      caption: "Changes, one row per field",
      sql: queryNamed("diff/changes"),
      parameters: { entity, class: kind, change, field },
      columns: [
        { name: "name", label: "name", link: (row) => itemAddress(gameId, row["entity"], row["id"]) },
        { name: "entity", label: "item" },
        { name: "change", label: "change" },
        { name: "field", label: "field", shape: "code" },
        { name: "old", label: "old", sortedBy: figuresFirst("old"), shape: "long", shows: ofField("old") },
        { name: "new", label: "new", sortedBy: figuresFirst("new"), shape: "long", shows: ofField("new") }
      ],
      order: "name",
      key: ["entity", "id", "field"],
      empty: "No change matches. Remove a filter, or compare other snapshots."
    },
    rows
  )
  const fields: ReadonlyArray<Field> = [
    choiceField("entity", "item", entity, entities),
    choiceField("class", "class", kind, classes),
    choiceField("change", "change", change, kinds),
    { kind: "text", name: "field", label: "field", value: field, hint: "e.g. name or low" }
  ]
  return { fields, list }
})

/** Sorts prices and other numbers by size, then texts. */
const figuresFirst = (side: "old" | "new") => [`try_cast(${side} as decimal(38, 6))`, side]

/** An added or removed item shows its name in this column and comes first. */
const ofField = (side: "old" | "new") => (row: Row) =>
  row["field"] === null ? "" : changedWords(row["field"], row["old"], row["new"])[side]

/** The list that compares the changelog's claims with the computed changes, filtered by the address. */
export const claimList = Effect.fnUntraced(function* (
  request: PageRequest,
  gameId: string,
  rows: PageRequest["lake"]["rows"]
) {
  const entity = yield* readChoice(request, "entity", entities)
  const status = yield* readChoice(request, "status", statuses)
  const list = yield* listing(
    request,
    {
      caption: "Changes claimed by the changelog and changes found",
      sql: queryNamed("diff/claims"),
      parameters: { entity, status },
      columns: claimColumns(gameId),
      order: "status",
      key: ["entity", "slug", "item_id"],
      empty: "No change matches. Remove a filter, or compare other snapshots."
    },
    rows
  )
  const fields: ReadonlyArray<Field> = [
    choiceField("entity", "item", entity, entities),
    choiceField("status", "status", status, statuses)
  ]
  return { fields, list }
})

const claimColumns = (gameId: string): ReadonlyArray<Column> => [
  { name: "slug", label: "slug", shape: "code", link: (row) => itemAddress(gameId, row["entity"], row["item_id"]) },
  { name: "entity", label: "item" },
  { name: "claimed", label: "claimed" },
  { name: "seen", label: "seen" },
  { name: "status", label: "status", shape: "code" },
  { name: "explanation", label: "explanation" },
  { name: "deployment_id", label: "deployment", shape: "code" }
]

/** The address of a product's or an expansion's page; null if the item has no page. */
export const itemAddress = (
  gameId: string,
  entity: Row[string] | undefined,
  id: Row[string] | undefined
): string | null => {
  if (id === null || id === undefined) return null
  return entity === "product"
    ? productAddress(gameId, id)
    : entity === "expansion"
      ? expansionAddress(gameId, id)
      : null
}
