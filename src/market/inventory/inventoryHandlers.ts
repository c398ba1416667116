import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { QuantityReason } from "../contract/events/MarketEvent.ts"
import type { ChangedLine } from "../contract/inventory/InventoryLine.ts"
import type { LineChange } from "../contract/inventory/LineRequests.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { originOf } from "../answers/plainRequest.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { answerOnce, ownState, type Problem } from "../state/answerOnce.ts"
import type { Transaction } from "../state/State.ts"
import { type ChangedIds, changeLine, noSuchLine } from "./changeLine.ts"
import { createLines, productIdOf } from "./createLines.ts"
import { linePage, searchLines } from "./linePages.ts"
import { findLine, shownLine, makeQuantityLog, type StockWrite } from "./LineRow.ts"
import { afterPhotos } from "./linePhotos.ts"
import { listLine, repriceLine, unlistLine } from "./ownListing.ts"
import { removeLine } from "./putLine.ts"
import { setPhotos } from "./setPhotos.ts"

/** What a change made, as the API shows it; links begin with `origin`. */
type Show<Changed, A> = (tx: Transaction, changed: Changed, origin: string) => A

/** Changes the caller's stock, with its event. */
const stockWrite = Effect.fnUntraced(function* <Changed, A, E extends Problem>(
  reason: QuantityReason,
  change: (write: StockWrite) => Result.Result<Changed, E>,
  show: Show<Changed, A>
) {
  const origin = yield* originOf
  return yield* answerOnce((tx, accountId) => {
    const log = makeQuantityLog()
    return Result.map(change({ tx, log, accountId }), (changed) => {
      log.emit(tx, accountId, reason)
      return show(tx, changed, origin)
    })
  })
})

/** Changes a line of the caller's; photos that it shows no more are removed afterwards. */
const editLine = Effect.fnUntraced(function* <Changed, A, E extends Problem>(
  inventoryId: string,
  change: (write: StockWrite) => Result.Result<Changed, E>,
  show: Show<Changed, A>
) {
  const { store } = yield* ownState
  const removeUnshown = afterPhotos(store, yield* Files, [inventoryId])
  const answer = yield* stockWrite("edit", change, show)
  removeUnshown()
  return answer
})

/** The lines of a change as the API shows them. */
const shownChange = (tx: Transaction, { line, remainder }: ChangedIds, origin: string): ChangedLine => ({
  line: shownLine(tx, line, origin),
  remainder: remainder === null ? null : shownLine(tx, remainder, origin)
})

const readLine = Effect.fnUntraced(function* (inventoryId: string) {
  const { accountId, store } = yield* ownState
  const line = findLine(store, accountId, inventoryId)
  return line === undefined ? yield* noSuchLine(inventoryId) : shownLine(store, line.id, yield* originOf)
})

const editFields = Effect.fnUntraced(function* (inventoryId: string, change: LineChange) {
  const { accountId, store } = yield* ownState
  // A line never changes its product, so this holds when the write happens.
  const id = String(findLine(store, accountId, inventoryId)?.product_id ?? "")
  const product = (yield* soldProducts([id])).get(id)
  return yield* editLine(inventoryId, (write) => changeLine(write, inventoryId, { change, product }), shownChange)
})

const deleteLine = (inventoryId: string) => (write: StockWrite) => {
  const line = findLine(write.tx, write.accountId, inventoryId)
  return line === undefined ? Result.fail(noSuchLine(inventoryId)) : Result.succeed(removeLine(write, line))
}

/** The caller's stock. Spec: GET /v1/inventory; beyond the spec: section 10. */
export const inventoryHandlers = HttpApiBuilder.group(MarketplaceApi, "inventory", (handlers) =>
  handlers
    .handle("lines", ({ query }) => linePage(query))
    .handle(
      "createLines",
      Effect.fnUntraced(function* ({ payload: { lines } }) {
        const origin = yield* originOf
        const products = yield* soldProducts(lines.map(({ productId }) => productIdOf(productId)))
        return yield* answerOnce((tx, accountId) => createLines(tx, accountId, { lines, products, origin }))
      })
    )
    .handle("searchLines", ({ payload }) => searchLines(payload))
    .handle("line", ({ params: { inventoryId } }) => readLine(inventoryId))
    .handle("changeLine", ({ params: { inventoryId }, payload }) => editFields(inventoryId, payload))
    .handle("deleteLine", ({ params: { inventoryId } }) =>
      editLine(inventoryId, deleteLine(inventoryId), () => ({ deleted: true as const }))
    )
    .handle("setPhotos", ({ params: { inventoryId }, payload, request }) =>
      setPhotos(inventoryId, payload, Number(request.headers["content-length"] ?? 0))
    )
)

/** The caller's lines for sale. Beyond the spec: section 10. */
export const listingHandlers = HttpApiBuilder.group(MarketplaceApi, "listings", (handlers) =>
  handlers
    .handle("listings", ({ query }) => linePage({ ...query, forSale: true }))
    .handle("list", ({ params: { inventoryId }, payload }) =>
      stockWrite("listing", (write) => listLine(write, inventoryId, payload), shownChange)
    )
    .handle("reprice", ({ params: { inventoryId }, payload: { price } }) =>
      stockWrite("listing", (write) => repriceLine(write, inventoryId, price), shownLine)
    )
    .handle("unlist", ({ params: { inventoryId }, payload }) =>
      stockWrite("listing", (write) => unlistLine(write, inventoryId, payload?.quantity), shownLine)
    )
)
