import { Effect, Schema } from "effect"
import type { OfferedFeeds } from "../../client/otherCalls.ts"
import { Marketplace } from "../../client/Marketplace.ts"
import { withLargePageLock } from "../../client/RawBody.ts"
import { Instant } from "../../contract/Catalogue.ts"
import { DeploymentId } from "../../contract/Ids.ts"
import { pageLimits } from "../../contract/Paging.ts"
import { FeedType } from "../../contract/FeedFile.ts"
import type { UsedFeeds } from "../../contract/Via.ts"
import { Fault } from "../../contract/Fault.ts"

/** A deployment with its time in the changelog. */
export interface DatedDeployment {
  readonly id: DeploymentId
  /** Null if the time cannot be stored. The deployment then counts as old. */
  readonly deployedAt: string | null
}

/** The feed files do not contain the newest deployment, `head`, yet. They probably will some minutes later. */
export class FeedsLag extends Schema.TaggedError<FeedsLag>()("FeedsLag", {
  gameId: Schema.String,
  head: DeploymentId
}) {
  override get message() {
    return `The feed files of ${this.gameId} do not show its newest deployment yet. Run it again later: cardlake nightly`
  }
}

const isEntry = Schema.is(Schema.Struct({ id: DeploymentId, deployedAt: Instant }))

/** Returns the newest deployments. If the last known one is over a hundred deployments old, it is not among them. */
const newestEntries = Effect.fnUntraced(function* (gameId: string) {
  const marketplace = yield* Marketplace
  const page = marketplace.changelog(gameId, { limit: pageLimits.cursor.max })
  return yield* withLargePageLock(Effect.map(page, ({ data }) => data.filter(isEntry)))
})

/** Returns the earlier of the two times at which the files of facts were last rebuilt. */
const factsRebuiltMillis = ({ catalog, expansions }: NonNullable<OfferedFeeds>): number =>
  Math.min(Date.parse(catalog.lastRefreshedAt), Date.parse(expansions.lastRefreshedAt))

/** True if a deployment is newer than the facts in the files. */
export const isYounger = ({ deployedAt }: DatedDeployment, offered: NonNullable<OfferedFeeds>): boolean =>
  deployedAt !== null && Date.parse(deployedAt) > factsRebuiltMillis(offered)

/**
 * Returns the deployment of feed files: the newest that is not newer than their facts; null if the changelog has none.
 * Fails with {@link FeedsLag} if that is not the head, unless old files are accepted. Fails with `FeedsBehind` if
 * the lake has a newer deployment.
 */
export const shownDeployment = Effect.fnUntraced(function* (
  gameId: string,
  { head, offered }: { readonly head: DatedDeployment | null; readonly offered: NonNullable<OfferedFeeds> },
  as: { readonly published: DeploymentId | null; readonly takesOld: boolean }
) {
  if (head === null) return null
  const rebuilt = factsRebuiltMillis(offered)
  if (!isYounger(head, offered)) return { id: head.id, deployedAt: head.deployedAt }
  if (!as.takesOld) return yield* new FeedsLag({ gameId, head: head.id })
  const entries = yield* newestEntries(gameId)
  const place = entries.findIndex(({ deployedAt }) => Date.parse(deployedAt) <= rebuilt)
  const isNewer = ({ id }: DatedDeployment) => id === as.published
  const isBehind = place === -1 ? as.published !== null : entries.slice(0, place).some(isNewer)
  if (isBehind)
    return yield* new Fault(
      "FeedsBehind",
      `The feed files of ${gameId} are older than the lake, which has deployment ${as.published}. Run it again later, or read it page by page: cardlake nightly --via pages`
    )
  return entries[place] ?? null
})

/** True if the three offered files are those that were published. */
export const areUsed = (feeds: UsedFeeds | null, offered: NonNullable<OfferedFeeds>): boolean =>
  feeds !== null && FeedType.literals.every((type) => feeds[type].checksum === offered[type].checksum)

/**
 * True if the offer equals the published reading: the same three files of the same deployment. A newer head changes
 * nothing if the published reading knew it and the files still lack it.
 */
export const isStanding = (
  { deploymentId, feeds }: { readonly deploymentId: DeploymentId | null; readonly feeds: UsedFeeds | null },
  { head, offered }: { readonly head: DatedDeployment | null; readonly offered: NonNullable<OfferedFeeds> }
): boolean => {
  if (feeds === null || !areUsed(feeds, offered)) return false
  const id = head?.id ?? null
  if (id === deploymentId) return true
  return head !== null && id === feeds.head && isYounger(head, offered)
}
