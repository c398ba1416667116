import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { LabelChange, NewLabel } from "../contract/inventory/labelOperations.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { answerOnce, ownState } from "../state/answerOnce.ts"
import { changeLabel, createLabel, deleteLabel, labelsOf, type LabelKind } from "./labels.ts"

const list = (kind: LabelKind) => () =>
  Effect.map(ownState, ({ accountId, store }) => labelsOf(store, { accountId, kind }))

const create =
  (kind: LabelKind) =>
  ({ payload }: { readonly payload: typeof NewLabel.Type }) =>
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

/** Tags and locations, alike but for their kind. Beyond the spec: section 16. */
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
