import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../feed/contract/Authorization.ts"
import type { LabelChange, NewLabel } from "../contract/inventory/labelOperations.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { answerOnce } from "../state/answerOnce.ts"
import { State } from "../state/State.ts"
import { changeLabel, createLabel, deleteLabel, labelsOf, type LabelKind } from "./labels.ts"

const list = (kind: LabelKind) =>
  Effect.fnUntraced(function* () {
    const { store } = yield* State
    return labelsOf(store, { accountId: (yield* Caller).accountId, kind })
  })

const create = (kind: LabelKind) =>
  Effect.fnUntraced(function* ({ payload }: { readonly payload: typeof NewLabel.Type }) {
    const { accountId } = yield* Caller
    return yield* answerOnce((tx) => createLabel(tx, { accountId, kind }, payload))
  })

const change = (kind: LabelKind) =>
  Effect.fnUntraced(function* (asked: {
    readonly params: { readonly name: string }
    readonly payload: typeof LabelChange.Type
  }) {
    const { accountId } = yield* Caller
    const { params, payload } = asked
    return yield* answerOnce((tx) => changeLabel(tx, { accountId, kind }, { name: params.name, change: payload }))
  })

const remove = (kind: LabelKind) =>
  Effect.fnUntraced(function* ({ params }: { readonly params: { readonly name: string } }) {
    const { accountId } = yield* Caller
    return yield* answerOnce((tx) => deleteLabel(tx, { accountId, kind }, params.name))
  })

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
