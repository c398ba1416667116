import type { Label, LabelChange, CreateLabel } from "../contract/inventory/labelOperations.ts"
import type { Store, Transaction } from "../state/State.ts"
import { Result, Effect } from "effect"
import type { NotFound } from "../../feed/contract/Errors.ts"
import { missing } from "../answers/refusals.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { answerOnce, readCallerState } from "../state/answerOnce.ts"

export type LabelKind = "tag" | "location"

/** An account and a kind of its labels. */
interface LabelOwner {
  readonly accountId: string
  readonly kind: LabelKind
}

/** A row of `labels`. */
interface LabelRow extends Label {
  readonly id: string
}

/** Normalizes a name for comparison without case. Beyond the spec: section 16. */
export const nameKey = (name: string): string => name.toLowerCase()

const showLabel = ({ name, color, icon }: LabelRow): Label => ({ name, color, icon })

export const findLabel = (store: Store, { accountId, kind }: LabelOwner, name: string): LabelRow | undefined =>
  store.one<LabelRow>(
    "select id, name, color, icon from labels where account_id = :accountId and kind = :kind and name_key = :key",
    { accountId, kind, key: nameKey(name) }
  )

const taken = (kind: LabelKind, name: string) =>
  Result.fail(new Conflict({ message: `A ${kind} is called ${name} already`, data: { name } }))

const labelIn = (store: Store, labels: LabelOwner, name: string): Result.Result<LabelRow, NotFound> => {
  const label = findLabel(store, labels, name)
  return label === undefined
    ? Result.fail(missing(`No ${labels.kind} is called ${name}`, { name }))
    : Result.succeed(label)
}

/** Returns the account's labels of a kind by name. */
export const listLabels = (store: Store, { accountId, kind }: LabelOwner): ReadonlyArray<Label> =>
  store
    .all<LabelRow>("select * from labels where account_id = :accountId and kind = :kind order by name_key", {
      accountId,
      kind
    })
    .map(showLabel)

/** Adds a label. An existing name is a conflict or, with `upsert`, the label to change. */
export const createLabel = (
  tx: Transaction,
  labels: LabelOwner,
  { name, color, icon, upsert = false }: typeof CreateLabel.Type
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

/** Changes a label's name, colour or icon. Lines refer to the label by id, so a new name applies to them. */
export const changeLabel = (
  tx: Transaction,
  labels: LabelOwner,
  { change, name }: { readonly name: string; readonly change: typeof LabelChange.Type }
): Result.Result<Label, NotFound | Conflict> =>
  Result.gen(function* () {
    const label = yield* labelIn(tx, labels, name)
    const other = change.name === undefined ? undefined : findLabel(tx, labels, change.name)
    if (other !== undefined && other.id !== label.id) return yield* taken(labels.kind, other.name)
    const changed = { ...showLabel(label), ...change }
    tx.run("update labels set name = :name, name_key = :key, color = :color, icon = :icon where id = :id", {
      id: label.id,
      key: nameKey(changed.name),
      ...changed
    })
    return changed
  })

/** Deletes a label from the account and from its lines. */
export const deleteLabel = (
  tx: Transaction,
  labels: LabelOwner,
  name: string
): Result.Result<{ readonly deleted: true }, NotFound> =>
  Result.map(labelIn(tx, labels, name), ({ id }) => {
    tx.run("delete from labels where id = :id", { id })
    return { deleted: true }
  })

const list = (kind: LabelKind) => () =>
  Effect.map(readCallerState, ({ accountId, store }) => listLabels(store, { accountId, kind }))

const create =
  (kind: LabelKind) =>
  ({ payload }: { readonly payload: typeof CreateLabel.Type }) =>
    answerOnce((tx, accountId) => createLabel(tx, { accountId, kind }, payload))

interface Named {
  readonly params: { readonly name: string }
}

const change =
  (kind: LabelKind) =>
  ({ params: { name }, payload }: Named & { readonly payload: typeof LabelChange.Type }) =>
    answerOnce((tx, accountId) => changeLabel(tx, { accountId, kind }, { name, change: payload }))

const remove =
  (kind: LabelKind) =>
  ({ params: { name } }: Named) =>
    answerOnce((tx, accountId) => deleteLabel(tx, { accountId, kind }, name))

/** Handlers of tags and locations, which differ only in kind. Beyond the spec: section 16. */
export const labelHandlers = HttpApiBuilder.group(MarketplaceApi, "labels", (handlers) =>
  handlers
    .handle("tags", list("tag"))
    .handle("createTag", create("tag"))
    .handle("changeTag", change("tag"))
    .handle("deleteTag", remove("tag"))
    .handle("locations", list("location"))
    .handle("createLocation", create("location"))
    .handle("changeLocation", change("location"))
    .handle("deleteLocation", remove("location"))
)
