import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { QuantityReason } from "../contract/events/MarketEvent.ts"
import type { ChangedLine, LineChange } from "../contract/inventory/InventoryLine.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { requestOrigin } from "../answers/wire.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { answerOnce, readCallerState, type Problem } from "../state/answerOnce.ts"
import { type Transaction, toCents } from "../state/State.ts"
import { type ChangedIds, changeLine, noSuchLine, splitLine, tooFew } from "./changeLine.ts"
import { createLines, formatProductId, checkCurrency, checkSeller } from "./createLines.ts"
import { linePage, searchLines } from "./linePages.ts"
import { findLine, shownLine, type LineRow } from "./LineRow.ts"
import { makeQuantityLog, type StockWrite, removeLine, updateUnits } from "./putLine.ts"
import { afterPhotos } from "./linePhotos.ts"
import { setPhotos } from "./setPhotos.ts"
import type { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { missing } from "../answers/refusals.ts"
import { AlreadyListed, type InsufficientQuantity } from "../contract/inventory/InventoryErrors.ts"
import type { Money } from "../contract/Money.ts"
import { findAccount, isSeller } from "../accounts/accounts.ts"

const lineIn = ({ accountId, tx }: StockWrite, id: string): Result.Result<LineRow, NotFound> => {
  const line = findLine(tx, accountId, id)
  return line === undefined ? Result.fail(noSuchLine(id)) : Result.succeed(line)
}

const listedLine = (write: StockWrite, id: string): Result.Result<LineRow, NotFound> =>
  Result.flatMap(lineIn(write, id), (line) =>
    line.price_cents === null
      ? Result.fail(missing(`The line ${id} is not for sale`, { inventoryId: id }))
      : Result.succeed(line)
  )

/** Changes the price of units of a line. If not all, they become a separate line. */
const setPrice = (
  write: StockWrite,
  line: LineRow,
  { count, price }: { readonly price: number | null; readonly count: number }
): Result.Result<ChangedIds, InsufficientQuantity | BadRequest> => {
  if (count > line.quantity || count === 0) return Result.fail(tooFew(line, Math.max(count, 1)))
  if (count < line.quantity) {
    return splitLine(write, line, { count, part: { ...line, price_cents: price, custom_id: null } })
  }
  const state = { ...line, price_cents: price }
  return Result.map(updateUnits(write, line, { state, quantity: line.quantity }), () => ({
    line: line.id,
    remainder: null
  }))
}

/** Offers a line, or some of its units, for sale. */
export const listLine = (
  write: StockWrite,
  id: string,
  { price, quantity }: { readonly price: Money; readonly quantity?: number }
) =>
  Result.gen(function* () {
    const line = yield* lineIn(write, id)
    yield* checkCurrency(yield* checkSeller(write.tx, write.accountId), price)
    if (line.price_cents !== null) {
      const data = { inventoryId: id }
      return yield* Result.fail(new AlreadyListed({ message: `The line ${id} is for sale already`, data }))
    }
    return yield* setPrice(write, line, { price: toCents(price.amount), count: quantity ?? line.quantity })
  })

/** Changes the price of a line that is for sale. */
export const repriceLine = (write: StockWrite, id: string, price: Money) =>
  Result.gen(function* () {
    const line = yield* listedLine(write, id)
    const account = findAccount(write.tx, write.accountId)
    if (isSeller(account)) yield* checkCurrency(account, price)
    yield* updateUnits(write, line, { state: { ...line, price_cents: toCents(price.amount) }, quantity: line.quantity })
    return id
  })

/** Removes a line, or some of its units, from sale. The units merge with equal ones that are not for sale. */
export const unlistLine = (write: StockWrite, id: string, quantity: number | undefined) =>
  Result.gen(function* () {
    const line = yield* listedLine(write, id)
    if (quantity === undefined && line.quantity === 0) {
      yield* updateUnits(write, line, { state: { ...line, price_cents: null }, quantity: 0 })
      return id
    }
    yield* setPrice(write, line, { price: null, count: quantity ?? line.quantity })
    return id
  })

/** Converts the result of a change for the API. Links begin with `origin`. */
type Show<Changed, A> = (tx: Transaction, changed: Changed, origin: string) => A

/** Changes a line of the caller, emits the event, then removes photos that are no longer used. */
const editLine = Effect.fnUntraced(function* <Changed, A, E extends Problem>(
  { inventoryId, reason = "edit" }: { readonly inventoryId: string; readonly reason?: QuantityReason },
  change: (write: StockWrite) => Result.Result<Changed, E>,
  show: Show<Changed, A>
) {
  const { store } = yield* readCallerState
  const removeUnshown = afterPhotos(store, yield* Files, [inventoryId])
  const origin = yield* requestOrigin
  const answer = yield* answerOnce((tx, accountId) => {
    const log = makeQuantityLog()
    return Result.map(change({ tx, log, accountId }), (changed) => {
      log.emit(tx, accountId, reason)
      return show(tx, changed, origin)
    })
  })
  removeUnshown()
  return answer
})

/** Returns the lines of a change as the API shows them. */
const shownChange = (tx: Transaction, { line, remainder }: ChangedIds, origin: string): ChangedLine => ({
  line: shownLine(tx, line, origin),
  remainder: remainder === null ? null : shownLine(tx, remainder, origin)
})

const readLine = Effect.fnUntraced(function* (inventoryId: string) {
  const { accountId, store } = yield* readCallerState
  const line = findLine(store, accountId, inventoryId)
  return line === undefined ? yield* noSuchLine(inventoryId) : shownLine(store, line.id, yield* requestOrigin)
})

const editFields = Effect.fnUntraced(function* (inventoryId: string, change: LineChange) {
  const { accountId, store } = yield* readCallerState
  // A line never changes its product, so the id is still valid during the write.
  const id = String(findLine(store, accountId, inventoryId)?.product_id ?? "")
  const product = (yield* soldProducts([id])).get(id)
  return yield* editLine({ inventoryId }, (write) => changeLine(write, inventoryId, { change, product }), shownChange)
})

const deleteLine = (inventoryId: string) => (write: StockWrite) => {
  const line = findLine(write.tx, write.accountId, inventoryId)
  return line === undefined ? Result.fail(noSuchLine(inventoryId)) : Result.succeed(removeLine(write, line))
}

/** Handlers of the caller's inventory. Spec: GET /v1/inventory; beyond the spec: section 10. */
export const inventoryHandlers = HttpApiBuilder.group(MarketplaceApi, "inventory", (handlers) =>
  handlers
    .handle("lines", ({ query }) => linePage(query))
    .handle(
      "createLines",
      Effect.fnUntraced(function* ({ payload: { lines } }) {
        const origin = yield* requestOrigin
        const products = yield* soldProducts(lines.map(({ productId }) => formatProductId(productId)))
        return yield* answerOnce((tx, accountId) => createLines(tx, accountId, { lines, products, origin }))
      })
    )
    .handle("searchLines", ({ payload }) => searchLines(payload))
    .handle("line", ({ params: { inventoryId } }) => readLine(inventoryId))
    .handle("changeLine", ({ params: { inventoryId }, payload }) => editFields(inventoryId, payload))
    .handle("deleteLine", ({ params: { inventoryId } }) =>
      editLine({ inventoryId }, deleteLine(inventoryId), () => ({ deleted: true as const }))
    )
    .handle("setPhotos", ({ params: { inventoryId }, payload, request }) =>
      setPhotos(inventoryId, payload, Number(request.headers["content-length"] ?? 0))
    )
)

/** Handlers of the caller's lines for sale. Beyond the spec: section 10. */
export const listingHandlers = HttpApiBuilder.group(MarketplaceApi, "listings", (handlers) =>
  handlers
    .handle("listings", ({ query }) => linePage({ ...query, forSale: true }))
    .handle("list", ({ params: { inventoryId }, payload }) =>
      editLine({ inventoryId, reason: "listing" }, (write) => listLine(write, inventoryId, payload), shownChange)
    )
    .handle("reprice", ({ params: { inventoryId }, payload: { price } }) =>
      editLine({ inventoryId, reason: "listing" }, (write) => repriceLine(write, inventoryId, price), shownLine)
    )
    .handle("unlist", ({ params: { inventoryId }, payload }) =>
      editLine(
        { inventoryId, reason: "listing" },
        (write) => unlistLine(write, inventoryId, payload?.quantity),
        shownLine
      )
    )
)
