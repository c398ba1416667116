import { Result } from "effect"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/refusals.ts"
import type { Transaction } from "../state/State.ts"
import { sqlText } from "../state/openDatabase.ts"
import type { LineRow, LineState, QuantityWrite, StockWrite } from "./LineRow.ts"

const insertLine = sqlText(new URL("./insertLine.sql", import.meta.url))
const updateLine = sqlText(new URL("./updateLine.sql", import.meta.url))

/** Serializes a line's identity; equal texts mean equal lines. Beyond the spec: section 10, merge. */
const serializeIdentity = (state: LineState): string =>
  JSON.stringify([
    state.product_id,
    state.finish,
    state.condition,
    state.language,
    state.grading_service,
    state.grade,
    state.certification,
    state.price_cents
  ])

/** Finds the account's line without customId that equals `state`. */
export const findEqual = (tx: Transaction, accountId: string, state: LineState): LineRow | undefined =>
  state.custom_id === null
    ? tx.one<LineRow>(
        "select * from inventory_lines where account_id = :accountId and identity = :identity and custom_id is null",
        { accountId, identity: serializeIdentity(state) }
      )
    : undefined

const valuesOf = (
  { accountId, tx }: Pick<StockWrite, "accountId" | "tx">,
  state: LineState,
  { id, quantity }: { readonly id: string; readonly quantity: number }
) => ({
  id,
  account_id: accountId,
  custom_id: state.custom_id,
  comment: state.comment,
  notes: state.notes,
  location_id: state.location_id,
  product_id: state.product_id,
  game: state.game,
  finish: state.finish,
  condition: state.condition,
  language: state.language,
  grading_service: state.grading_service,
  grade: state.grade,
  certification: state.certification,
  price_cents: state.price_cents,
  identity: serializeIdentity(state),
  quantity,
  updated_at: tx.at
})

export const setQuantity = ({ log, tx }: QuantityWrite, line: LineRow, quantity: number): void => {
  tx.run("update inventory_lines set quantity = :quantity, updated_at = :at where id = :id", {
    id: line.id,
    quantity,
    at: tx.at
  })
  log.note(line, line.quantity, quantity)
}

export const setTags = (tx: Transaction, lineId: string, tagIds: Iterable<string>): void => {
  tx.run("delete from line_tags where line_id = :lineId", { lineId })
  for (const tagId of new Set(tagIds)) tx.run("insert into line_tags values (:lineId, :tagId)", { lineId, tagId })
}

/** Adds the units of two lines. An inexact sum is refused. Spec: Limits, integer range. */
const addExactly = (units: number, more: number): Result.Result<number, BadRequest> =>
  Number.isSafeInteger(units + more)
    ? Result.succeed(units + more)
    : Result.fail(badRequest("quantity", `the line would have more than ${Number.MAX_SAFE_INTEGER} units`))

/** Adds units to the equal line, or as a new line with these tags. Returns the line's id. */
export const addUnits = (
  write: StockWrite,
  state: LineState,
  { quantity, tagIds = [] }: { readonly quantity: number; readonly tagIds?: ReadonlyArray<string> }
): Result.Result<string, BadRequest> => {
  const { accountId, log, tx } = write
  const equal = findEqual(tx, accountId, state)
  if (equal !== undefined) {
    return Result.map(addExactly(equal.quantity, quantity), (sum) => {
      setQuantity(write, equal, sum)
      return equal.id
    })
  }
  const id = tx.newId()
  tx.run(insertLine, valuesOf(write, state, { id, quantity }))
  if (tagIds.length > 0) setTags(tx, id, tagIds)
  log.note({ id, custom_id: state.custom_id, product_id: state.product_id }, 0, quantity)
  return Result.succeed(id)
}

/** Changes a line. If another line now equals it, that line is merged into it and deleted. */
export const updateUnits = (
  write: QuantityWrite,
  line: LineRow,
  { quantity, state }: { readonly state: LineState; readonly quantity: number }
): Result.Result<void, BadRequest> => {
  const { log, tx } = write
  const equal = findEqual(tx, line.account_id, state)
  const merged = equal === undefined || equal.id === line.id ? undefined : equal
  return Result.map(addExactly(quantity, merged?.quantity ?? 0), (sum) => {
    if (merged !== undefined) removeLine(write, merged)
    tx.run(updateLine, valuesOf({ tx, accountId: line.account_id }, state, { id: line.id, quantity: sum }))
    log.note({ ...line, custom_id: state.custom_id }, line.quantity, sum)
  })
}

/** Deletes a line, which frees its customId. */
export const removeLine = ({ log, tx }: QuantityWrite, line: LineRow): void => {
  tx.run("delete from inventory_lines where id = :id", { id: line.id })
  log.note(line, line.quantity, 0)
}
