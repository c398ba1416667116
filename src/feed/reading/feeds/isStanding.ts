import type { OfferedFeeds } from "../../client/feedFiles.ts"
import { FeedType } from "../../contract/FeedFile.ts"
import type { DeploymentId } from "../../contract/Ids.ts"
import type { UsedFeeds } from "../../contract/Road.ts"
import { type DatedDeployment, isYounger } from "./shownDeployment.ts"

/** Whether the three files that are offered are those that were published. */
export const areUsed = (feeds: UsedFeeds | null, offered: NonNullable<OfferedFeeds>): boolean =>
  feeds !== null && FeedType.literals.every((type) => feeds[type].checksum === offered[type].checksum)

/**
 * Whether what is offered is what was published: the same three files, of the same deployment. A head that the published
 * reading knew, too, and that the files still do not show, changes nothing.
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
