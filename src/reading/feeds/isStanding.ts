import type { OfferedFeeds } from "../../client/feedFiles.ts"
import type { DeploymentId } from "../../contract/Ids.ts"
import type { UsedFeeds } from "../../home/Road.ts"
import { type DatedDeployment, factsRebuiltMillis } from "./shownDeployment.ts"

/**
 * Whether what is offered is what was published: the same three files, of the same deployment. A head that the published
 * reading knew, too, and that the files still do not show, changes nothing.
 */
export const isStanding = (
  { deploymentId, feeds }: { readonly deploymentId: DeploymentId | null; readonly feeds: UsedFeeds | null },
  { head, offered }: { readonly head: DatedDeployment | null; readonly offered: NonNullable<OfferedFeeds> }
): boolean => {
  if (feeds === null) return false
  const types = ["catalog", "expansions", "prices"] as const
  if (types.some((type) => feeds[type].checksum !== offered[type].checksum)) return false
  const id = head?.id ?? null
  if (id === deploymentId) return true
  return head !== null && id === feeds.head && Date.parse(head.deployedAt) > factsRebuiltMillis(offered)
}
