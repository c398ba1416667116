import { Effect } from "effect"
import type { Field } from "../../pages/chooseForm.ts"
import type { Column } from "../dataTable.ts"
import { listing } from "../listing.ts"
import { type PageRequest, choiceOf } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { itemAddress, options } from "./itemAddress.ts"

const claims = queryNamed("diff/claims")

/** What the changelog claims against what was computed, as chosen. */
export const claimList = Effect.fnUntraced(function* (
  asked: PageRequest,
  gameId: string,
  rows: PageRequest["lake"]["rows"]
) {
  const entity = yield* choiceOf(asked, "entity", ["all", "product", "expansion"])
  const statuses = ["all", "confirmed", "claimed_not_seen", "seen_not_claimed"] as const
  const status = yield* choiceOf(asked, "status", statuses)
  const list = yield* listing(
    asked,
    {
      caption: "The changelog’s claims against what was computed",
      sql: claims,
      parameters: { entity, status },
      columns: claimColumns(gameId),
      order: "status",
      key: ["entity", "slug", "item_id"],
      empty: "No claim matches, and nothing that was seen does. Remove a filter, or compare other snapshots."
    },
    rows
  )
  const fields: ReadonlyArray<Field> = [
    { kind: "choice", name: "entity", label: "of", value: entity, options: options("all", "product", "expansion") },
    { kind: "choice", name: "status", label: "status", value: status, options: options(...statuses) }
  ]
  return { fields, list }
})

const claimColumns = (gameId: string): ReadonlyArray<Column> => [
  { name: "slug", label: "slug", shape: "code", link: (row) => itemAddress(gameId, row["entity"], row["item_id"]) },
  { name: "entity", label: "of" },
  { name: "claimed", label: "claimed" },
  { name: "seen", label: "seen" },
  { name: "status", label: "status", shape: "code" },
  { name: "explanation", label: "explanation" },
  { name: "deployment_id", label: "deployment", shape: "code" }
]
