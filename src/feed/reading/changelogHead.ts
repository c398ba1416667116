import { Effect, Result, Schema } from "effect"
import { Marketplace } from "../client/Marketplace.ts"
import { NotMarketplace } from "../client/MarketplaceError.ts"
import { readJson } from "../client/OpenFault.ts"
import { withLargePageLock } from "../client/RawBody.ts"
import { readInstant } from "../contract/Catalogue.ts"
import { DeploymentId } from "../contract/Ids.ts"

const readHead = readJson(Schema.Struct({ id: DeploymentId, deployedAt: Schema.String }), "a deployment")

/**
 * The newest deployment of a game; null when its feed has none
 * yet. The two slices of the sandwich. Design: decision 2.
 */
export const changelogHead = Effect.fnUntraced(function* (gameId: string) {
  const marketplace = yield* Marketplace
  const ask = marketplace.changelog(gameId, { limit: 1 })
  const { head, request, requestId } = yield* withLargePageLock(
    Effect.map(ask, ({ data: [head], request, requestId }) => ({ head, request, requestId }))
  )
  if (head === undefined) return null
  const read = readHead(head)
  if (Result.isSuccess(read)) return { id: read.success.id, deployedAt: readInstant(read.success.deployedAt) }
  return yield* new NotMarketplace({ request, requestId, url: marketplace.url, ...read.failure, attempts: 1 })
})
