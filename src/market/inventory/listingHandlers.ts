import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../feed/contract/Authorization.ts"
import type { ChangedLine } from "../contract/inventory/InventoryLine.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { originOf } from "../answers/plainRequest.ts"
import { answerOnce } from "../state/answerOnce.ts"
import { State, type Transaction } from "../state/State.ts"
import type { ChangedIds } from "./changeLine.ts"
import { linePage } from "./linePage.ts"
import { shownLine, makeQuantityLog, type StockWrite } from "./LineRow.ts"
import { listLine, repriceLine, unlistLine } from "./ownListing.ts"

/** The lines of a change as the API shows them. */
export const shownChange = (tx: Transaction, { line, remainder }: ChangedIds, origin: string): ChangedLine => ({
  line: shownLine(tx, line, origin),
  remainder: remainder === null ? null : shownLine(tx, remainder, origin)
})

/** A write of listings, with its event. */
const listingWrite = <A, E>(accountId: string, change: (write: StockWrite) => Result.Result<A, E>) => {
  return (tx: Transaction) => {
    const log = makeQuantityLog()
    const result = change({ tx, log, accountId })
    if (Result.isSuccess(result)) log.emit(tx, accountId, "listing")
    return result
  }
}

/** The caller's lines for sale. Beyond the spec: section 10. */
export const listingHandlers = HttpApiBuilder.group(MarketplaceApi, "listings", (handlers) =>
  handlers
    .handle(
      "listings",
      Effect.fnUntraced(function* ({ query }) {
        const { store } = yield* State
        const { accountId } = yield* Caller
        return yield* linePage(store, { accountId, origin: yield* originOf }, { ...query, forSale: true })
      })
    )
    .handle(
      "list",
      Effect.fnUntraced(function* ({ params: { inventoryId }, payload }) {
        const { accountId } = yield* Caller
        const origin = yield* originOf
        return yield* answerOnce(
          listingWrite(accountId, (write) =>
            Result.map(listLine(write, inventoryId, payload), (ids) => shownChange(write.tx, ids, origin))
          )
        )
      })
    )
    .handle(
      "reprice",
      Effect.fnUntraced(function* ({ params: { inventoryId }, payload: { price } }) {
        const { accountId } = yield* Caller
        const origin = yield* originOf
        return yield* answerOnce(
          listingWrite(accountId, (write) =>
            Result.map(repriceLine(write, inventoryId, price), (id) => shownLine(write.tx, id, origin))
          )
        )
      })
    )
    .handle(
      "unlist",
      Effect.fnUntraced(function* ({ params: { inventoryId }, payload }) {
        const { accountId } = yield* Caller
        const origin = yield* originOf
        return yield* answerOnce(
          listingWrite(accountId, (write) =>
            Result.map(unlistLine(write, inventoryId, payload?.quantity), (id) => shownLine(write.tx, id, origin))
          )
        )
      })
    )
)
