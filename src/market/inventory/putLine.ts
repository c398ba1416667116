import { Result } from "effect"
import type { ChangedQuantity, QuantityReason } from "../contract/events/MarketEvent.ts"
import { emitQuantities } from "../events/emit.ts"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/refusals.ts"
import { insertRow, type Transaction, updateRow } from "../state/State.ts"
import type { LineRow, LineState } from "./LineRow.ts"

/** Collects quantity changes of one write for its event. A line that changed twice is reported once. */
export interface QuantityLog {
  readonly note: (line: Pick<LineRow, "id" | "custom_id" | "product_id">, before: number, after: number) => void
  /** Writes the events. Called once, at the end of the write. */
  readonly emit: (tx: Transaction, accountId: string, reason: QuantityReason) => void
}

/** A write that logs its quantity changes. */
export interface QuantityWrite {
  readonly tx: Transaction
  readonly log: QuantityLog
}

/** A write to the stock of one account. */
export interface StockWrite extends QuantityWrite {
  readonly accountId: string
}

export const makeQuantityLog = (): QuantityLog => {
  const changes = new Map<string, ChangedQuantity>()
  return {
    note: ({ id, custom_id, product_id }, before, after) =>
      void changes.set(id, {
        inventoryId: id,
        customId: custom_id,
        productId: product_id,
        before: changes.get(id)?.before ?? before,
        after
      }),
    emit: (tx, accountId, reason) => emitQuantities(tx, accountId, { reason, lines: [...changes.values()] })
  }
}

/** Serializes what makes lines equal, besides their location, which disappears from a line with its label. */
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

/** The account's lines without customId that equal `state`, oldest first. Beyond the spec: section 10, merge. */
export const findEquals = (tx: Transaction, accountId: string, state: LineState): ReadonlyArray<LineRow> =>
  state.custom_id === null
    ? tx.all<LineRow>(
        `select * from inventory_lines
         where account_id = :accountId and identity = :identity and location_id is :location and custom_id is null
         order by id`,
        { accountId, identity: serializeIdentity(state), location: state.location_id }
      )
    : []

/**
 * Finds the oldest other line that equals a line after its change. A change of anything but the identity merges no
 * lines.
 */
export const findMerged = (tx: Transaction, line: LineRow, state: LineState): LineRow | undefined =>
  serializeIdentity(line) === serializeIdentity(state) && line.location_id === state.location_id
    ? undefined
    : findEquals(tx, line.account_id, state)[0]

const lineValues = (tx: Transaction, state: LineState, quantity: number) => ({
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
export const addExactly = (units: number, more: number): Result.Result<number, BadRequest> =>
  Number.isSafeInteger(units + more)
    ? Result.succeed(units + more)
    : Result.fail(badRequest("quantity", `the line would have more than ${Number.MAX_SAFE_INTEGER} units`))

/** Inserts a line with these tags. Returns its id. */
export const insertLine = (
  write: StockWrite,
  state: LineState,
  { quantity, tagIds = [] }: { readonly quantity: number; readonly tagIds?: ReadonlyArray<string> }
): string => {
  const { accountId, log, tx } = write
  const id = tx.newId()
  insertRow(tx, "inventory_lines", { id, account_id: accountId, ...lineValues(tx, state, quantity) })
  if (tagIds.length > 0) setTags(tx, id, tagIds)
  log.note({ id, custom_id: state.custom_id, product_id: state.product_id }, 0, quantity)
  return id
}

/**
 * Adds units to the oldest equal line, which keeps its comment, notes and tags, or as a new line with these tags.
 * Returns the line's id.
 */
export const addUnits = (
  write: StockWrite,
  state: LineState,
  added: { readonly quantity: number; readonly tagIds?: ReadonlyArray<string> }
): Result.Result<string, BadRequest> => {
  const [equal] = findEquals(write.tx, write.accountId, state)
  if (equal === undefined) return Result.succeed(insertLine(write, state, added))
  return Result.map(addExactly(equal.quantity, added.quantity), (sum) => {
    setQuantity(write, equal, sum)
    return equal.id
  })
}

/** Changes a line. If its new identity is that of another line, that line is merged into it and deleted. */
export const updateUnits = (
  write: QuantityWrite,
  line: LineRow,
  { quantity, state }: { readonly state: LineState; readonly quantity: number }
): Result.Result<void, BadRequest> => {
  const { log, tx } = write
  const merged = findMerged(tx, line, state)
  return Result.map(addExactly(quantity, merged?.quantity ?? 0), (sum) => {
    if (merged !== undefined) removeLine(write, merged)
    updateRow(tx, "inventory_lines", { id: line.id }, lineValues(tx, state, sum))
    log.note({ ...line, custom_id: state.custom_id }, line.quantity, sum)
  })
}

/** Deletes a line, which frees its customId. */
export const removeLine = ({ log, tx }: QuantityWrite, line: LineRow): void => {
  tx.run("delete from inventory_lines where id = :id", { id: line.id })
  log.note(line, line.quantity, 0)
}
