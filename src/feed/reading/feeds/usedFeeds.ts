import { feedKinds } from "../../contract/records.ts"
import type { UsedFeeds } from "../../contract/Via.ts"
import type { Extraction, RawPage } from "../Extraction.ts"
import type { DeploymentId } from "../../contract/Ids.ts"

export interface PublishedFeeds {
  readonly deploymentId: DeploymentId | null
  /** Null if it was read page by page. */
  readonly feeds: UsedFeeds | null
  /** True if this version of the program would make the same snapshot from the same files. */
  readonly isCurrent: boolean
}

export type FeedPage = RawPage & { readonly feed: NonNullable<RawPage["feed"]> }

export const isFeedPage = (page: RawPage): page is FeedPage => page.feed !== undefined

/** Returns the three feed files of a reading, according to its manifest. */
export const usedFeeds = ({ pages, runId }: Pick<Extraction, "pages" | "runId">): Omit<UsedFeeds, "head"> => {
  const used = (kind: string) => {
    const page = pages.filter(isFeedPage).find((one) => one.kind === kind)
    if (page === undefined) throw new Error(`A reading by feed files lacks ${kind}`)
    const { feed, file, records, sha256 } = page
    const { checksum, lastRefreshedAt, run = runId } = feed
    return { checksum, records, sha256, lastRefreshedAt, run, file }
  }
  return { catalog: used(feedKinds.catalog), expansions: used(feedKinds.expansions), prices: used(feedKinds.prices) }
}
