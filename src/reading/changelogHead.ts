import { Effect, Schema } from "effect"
import { Marketplace } from "../client/Marketplace.ts"
import { PageBroken, speaksOtherwise } from "../client/MarketplaceError.ts"
import { withLargePageLock } from "../client/LargePageLock.ts"
import { Instant } from "../contract/Catalogue.ts"
import { DeploymentId } from "../contract/Ids.ts"

const isHead = Schema.is(Schema.Struct({ id: DeploymentId, deployedAt: Instant }))

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
  if (isHead(head)) return { id: head.id, deployedAt: head.deployedAt }
  return yield* new PageBroken({
    request,
    requestId,
    what: `its newest entry has no id or no time. ${speaksOtherwise}`,
    attempts: 1
  })
})
