import { Result } from "effect"
import { NotFound } from "../../feed/contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import type { Label, LabelChange, NewLabel } from "../contract/inventory/Labels.ts"
import type { Store, Transaction } from "../state/State.ts"
import { findLabel, type LabelKind, labelOf, type LabelRow, type LabelsOf, nameKey } from "./labels.ts"

const taken = (kind: LabelKind, name: string) =>
  Result.fail(new Conflict({ message: `A ${kind} is called ${name} already`, data: { name } }))

const labelIn = (store: Store, labels: LabelsOf, name: string): Result.Result<LabelRow, NotFound> => {
  const label = findLabel(store, labels, name)
  return label === undefined
    ? Result.fail(
        new NotFound({ code: "NOT_FOUND", status: 404, message: `No ${labels.kind} is called ${name}`, data: { name } })
      )
    : Result.succeed(label)
}

/** The account's labels of a kind, by name. */
export const labelsOf = (store: Store, { accountId, kind }: LabelsOf): ReadonlyArray<Label> =>
  store
    .all<LabelRow>("select * from labels where account_id = :accountId and kind = :kind order by name_key", {
      accountId,
      kind
    })
    .map(labelOf)

/** Adds a label; a name that is taken is a conflict, or with `upsert` the label that changes. */
export const createLabel = (
  tx: Transaction,
  labels: LabelsOf,
  { name, color, icon, upsert = false }: typeof NewLabel.Type
): Result.Result<Label, Conflict> => {
  const { accountId, kind } = labels
  const found = findLabel(tx, labels, name)
  if (found !== undefined && !upsert) return taken(kind, name)
  const label = {
    name,
    color: color === undefined ? (found?.color ?? null) : color,
    icon: icon === undefined ? (found?.icon ?? null) : icon
  }
  tx.run(
    `insert into labels (id, account_id, kind, name, name_key, color, icon)
     values (:id, :accountId, :kind, :name, :key, :color, :icon)
     on conflict (account_id, kind, name_key) do update set name = :name, color = :color, icon = :icon`,
    { id: tx.newId(), accountId, kind, key: nameKey(name), ...label }
  )
  return Result.succeed(label)
}

/** Another name, colour or icon; lines follow, because they hold the label and not its name. */
export const changeLabel = (
  tx: Transaction,
  labels: LabelsOf,
  { change, name }: { readonly name: string; readonly change: typeof LabelChange.Type }
): Result.Result<Label, NotFound | Conflict> =>
  Result.gen(function* () {
    const label = yield* labelIn(tx, labels, name)
    const other = change.name === undefined ? undefined : findLabel(tx, labels, change.name)
    if (other !== undefined && other.id !== label.id) return yield* taken(labels.kind, other.name)
    const changed = { ...labelOf(label), ...change }
    tx.run("update labels set name = :name, name_key = :key, color = :color, icon = :icon where id = :id", {
      id: label.id,
      key: nameKey(changed.name),
      ...changed
    })
    return changed
  })

/** Deletes a label; lines stay without it. */
export const deleteLabel = (
  tx: Transaction,
  labels: LabelsOf,
  name: string
): Result.Result<{ readonly deleted: true }, NotFound> =>
  Result.map(labelIn(tx, labels, name), ({ id }) => {
    tx.run("delete from labels where id = :id", { id })
    return { deleted: true }
  })
