import type { DeploymentId } from "../../contract/Ids.ts"
import type { UsedFeeds } from "../../contract/Road.ts"

/** What is published of the game. */
export interface PublishedFeeds {
  readonly deploymentId: DeploymentId | null
  /** Null: it was read page by page. */
  readonly feeds: UsedFeeds | null
  /** Whether the same files would give the same snapshot, as this program made it. */
  readonly isCurrent: boolean
}
