import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../feed/contract/Authorization.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { originOf } from "../answers/originOf.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { afterPhotos } from "../inventory/linePhotos.ts"
import { answerOnce } from "../state/answerOnce.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { bulkUpdate, lineOfItem } from "./bulkUpdate.ts"
import { findJob, jobOf, noSuchJob } from "./JobRow.ts"
import { checkPreset, startExport, startImport } from "./startJob.ts"

/** Imports, exports and updates of many lines. Beyond the spec: section 11. */
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
        const { accountId } = yield* Caller
        const { store } = yield* State
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
        const { store } = yield* State
        const { accountId } = yield* Caller
        const { now } = yield* MarketClock
        const job = findJob(store, jobId)
        if (job === undefined || job.account_id !== accountId) return yield* noSuchJob(jobId)
        return { job: jobOf({ ...job, origin: yield* originOf }, yield* Files, now()) }
      })
    )
)
