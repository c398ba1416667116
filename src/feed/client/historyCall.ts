import { Effect, Result } from "effect"
import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import type { ApiClient } from "./offsetLists.ts"
import { openBody } from "./openPage.ts"
import { historyOperation } from "./documentedBuckets.ts"
import type { RawBody } from "./RawBody.ts"
import type { Call } from "./attempt.ts"
import type { Secret } from "./scrubbedBody.ts"

/** A product's prices of some days, both of them included. */
export interface AskedHistory {
  readonly game: string
  readonly productId: number
  readonly from: string
  readonly to: string
}

const paths = HttpApiClient.urlBuilder(NightlyApi)

/** Any JSON is an answer: whoever keeps it says what is wrong with it. Beyond the spec: section 7. */
export const historyCall = (
  client: ApiClient,
  { from, game, productId, to }: AskedHistory,
  secret: Secret
): Call<RawBody> => {
  const where = { params: { productId: String(productId) }, query: { from, to } }
  return {
    operation: historyOperation,
    game,
    request: `GET ${paths.prices.priceHistory(where)}`,
    send: client.prices.priceHistory({ ...where, responseMode: "response-only" }),
    open: (answer) => Effect.map(openBody(answer, secret, Result.succeed), ({ body }) => body)
  }
}
