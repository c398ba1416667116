import { Effect, Result, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { requestOrigin } from "../answers/wire.ts"
import { soldProducts, type SoldProduct } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { afterPhotos } from "../inventory/linePhotos.ts"
import { answerOnce, readCallerState } from "../state/answerOnce.ts"
import { MarketClock } from "../state/MarketClock.ts"
import type { Store, Transaction } from "../state/State.ts"
import { findJob, showJob, noSuchJob } from "./JobRow.ts"
import { checkPreset, startExport, startImport } from "./startJob.ts"
import { UpdateErrorCode, type UpdateItem, type UpdateResults } from "../contract/jobs/jobOperations.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { changeLine } from "../inventory/changeLine.ts"
import { findByCustomId, findLine, type LineRow } from "../inventory/LineRow.ts"
import { makeQuantityLog } from "../inventory/putLine.ts"

type UpdateResult = (typeof UpdateResults.Type)["results"][number]

const isCode = Schema.is(UpdateErrorCode)

/** Finds the line of an item by id, otherwise by customId. */
const lineOfItem = (store: Store, accountId: string, item: UpdateItem): LineRow | undefined => {
  if (item.inventoryId !== undefined) return findLine(store, accountId, item.inventoryId)
  return item.customId == null ? undefined : findByCustomId(store, accountId, item.customId)
}

/**
 * Makes the valid changes together and returns the reasons of the others. A customId conflict refuses the complete
 * call. Beyond the spec: section 11.
 */
const bulkUpdate = (
  tx: Transaction,
  accountId: string,
  {
    items,
    products
  }: { readonly items: ReadonlyArray<UpdateItem>; readonly products: ReadonlyMap<string, SoldProduct> }
): Result.Result<typeof UpdateResults.Type, Conflict> =>
  Result.gen(function* () {
    const log = makeQuantityLog()
    const seen = new Set<string>()
    const results: Array<UpdateResult> = []
    for (const [index, item] of items.entries()) {
      const { customId, inventoryId, ...rest } = item
      const refuse = (code: typeof UpdateErrorCode.Type, data: Readonly<Record<string, unknown>> = {}) =>
        void results.push({ index, status: "error", code, data })
      const line = lineOfItem(tx, accountId, item)
      if (inventoryId === undefined && customId == null) refuse("INVALID_ITEM")
      else if (line === undefined) refuse("NOT_FOUND", inventoryId === undefined ? { customId } : { inventoryId })
      else if (seen.has(line.id)) refuse("INVALID_ITEM", { inventoryId: line.id })
      else {
        seen.add(line.id)
        const change = inventoryId === undefined || customId === undefined ? rest : { ...rest, customId }
        const changed = changeLine({ tx, log, accountId }, line.id, {
          change,
          product: products.get(String(line.product_id))
        })
        if (Result.isSuccess(changed)) results.push({ index, status: "ok", inventoryId: changed.success.line })
        else if (changed.failure instanceof Conflict) return yield* Result.fail(changed.failure)
        else {
          const { code, data } = changed.failure
          refuse(isCode(code) ? code : "INVALID_ITEM", { ...data })
        }
      }
    }
    log.emit(tx, accountId, "edit")
    return { results }
  })

/** Handlers of imports, exports and bulk updates. Beyond the spec: section 11. */
export const jobHandlers = HttpApiBuilder.group(MarketplaceApi, "jobs", (handlers) =>
  handlers
    .handle("import", ({ payload, request }) => startImport({ request, parts: payload }, null))
    .handle("importPreset", ({ params: { preset }, payload, request }) =>
      startImport({ request, parts: payload }, preset, checkPreset(preset))
    )
    .handle("export", ({ payload: { filters = {}, format } }) => startExport(format, filters))
    .handle(
      "update",
      Effect.fnUntraced(function* ({ payload: { items } }) {
        const { accountId, store } = yield* readCallerState
        const lines = items.flatMap((item) => lineOfItem(store, accountId, item) ?? [])
        const products = yield* soldProducts(lines.map(({ product_id }) => String(product_id)))
        const lineIds = lines.map(({ id }) => id)
        const removeUnshown = afterPhotos(store, yield* Files, lineIds)
        const answer = yield* answerOnce((tx) => bulkUpdate(tx, accountId, { items, products }))
        removeUnshown()
        return answer
      })
    )
    .handle(
      "job",
      Effect.fnUntraced(function* ({ params: { jobId } }) {
        const { accountId, store } = yield* readCallerState
        const { now } = yield* MarketClock
        const job = findJob(store, jobId)
        if (job === undefined || job.account_id !== accountId) return yield* noSuchJob(jobId)
        return { job: showJob({ ...job, origin: yield* requestOrigin }, yield* Files, now()) }
      })
    )
)
