import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../feed/contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { originOf } from "../answers/plainRequest.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { answerOnce, type Problem } from "../state/answerOnce.ts"
import { State } from "../state/State.ts"
import { changeLine, noSuchLine } from "./changeLine.ts"
import { createLines, productIdOf } from "./createLines.ts"
import { linePage } from "./linePage.ts"
import { findLine, shownLine, makeQuantityLog } from "./LineRow.ts"
import { afterPhotos } from "./linePhotos.ts"
import { shownChange } from "./listingHandlers.ts"
import { removeLine } from "./putLine.ts"
import { searchLines } from "./searchLines.ts"
import { setPhotos } from "./setPhotos.ts"

const ownStock = Effect.gen(function* () {
  return { store: (yield* State).store, accountId: (yield* Caller).accountId, origin: yield* originOf }
})

/** Changes a line of the caller's; photos that it shows no more are removed afterwards. */
const editLine = Effect.fnUntraced(function* <A, E extends Problem>(
  inventoryId: string,
  change: (edit: Parameters<typeof changeLine>[0]) => Result.Result<A, E>
) {
  const { accountId } = yield* Caller
  const { store } = yield* State
  const removeUnshown = afterPhotos(store, yield* Files, [inventoryId])
  const answer = yield* answerOnce((tx) => {
    const log = makeQuantityLog()
    return Result.map(change({ tx, log, accountId }), (changed) => {
      log.emit(tx, accountId, "edit")
      return changed
    })
  })
  removeUnshown()
  return answer
})

/** The caller's stock. Spec: GET /v1/inventory; beyond the spec: section 10. */
export const inventoryHandlers = HttpApiBuilder.group(MarketplaceApi, "inventory", (handlers) =>
  handlers
    .handle(
      "lines",
      Effect.fnUntraced(function* ({ query }) {
        const { store, ...own } = yield* ownStock
        return yield* linePage(store, own, query)
      })
    )
    .handle(
      "createLines",
      Effect.fnUntraced(function* ({ payload: { lines } }) {
        const { accountId, origin } = yield* ownStock
        const products = yield* soldProducts(lines.map(({ productId }) => productIdOf(productId)))
        return yield* answerOnce((tx) => createLines(tx, accountId, { lines, products, origin }))
      })
    )
    .handle(
      "searchLines",
      Effect.fnUntraced(function* ({ payload }) {
        const { store, ...own } = yield* ownStock
        return yield* searchLines(store, own, payload)
      })
    )
    .handle(
      "line",
      Effect.fnUntraced(function* ({ params: { inventoryId } }) {
        const { accountId, origin, store } = yield* ownStock
        const line = findLine(store, accountId, inventoryId)
        return line === undefined ? yield* noSuchLine(inventoryId) : shownLine(store, line.id, origin)
      })
    )
    .handle(
      "changeLine",
      Effect.fnUntraced(function* ({ params: { inventoryId }, payload }) {
        const { accountId, origin, store } = yield* ownStock
        // A line never changes its product, so this holds when the write happens.
        const id = String(findLine(store, accountId, inventoryId)?.product_id ?? "")
        const product = (yield* soldProducts([id])).get(id)
        return yield* editLine(inventoryId, (edit) =>
          Result.map(changeLine(edit, inventoryId, { change: payload, product }), (ids) =>
            shownChange(edit.tx, ids, origin)
          )
        )
      })
    )
    .handle("deleteLine", ({ params: { inventoryId } }) =>
      editLine(inventoryId, (edit) => {
        const line = findLine(edit.tx, edit.accountId, inventoryId)
        if (line === undefined) return Result.fail(noSuchLine(inventoryId))
        removeLine(edit, line)
        return Result.succeed({ deleted: true as const })
      })
    )
    .handle(
      "setPhotos",
      Effect.fnUntraced(function* ({ params: { inventoryId }, payload, request }) {
        const { accountId } = yield* Caller
        const length = Number(request.headers["content-length"] ?? 0)
        return yield* setPhotos({ accountId, inventoryId }, payload, { length, origin: yield* originOf })
      })
    )
)
