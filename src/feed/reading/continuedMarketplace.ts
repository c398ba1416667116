import { Effect } from "effect"
import type { Marketplace } from "../client/Marketplace.ts"
import type { OpenPage } from "../client/openPage.ts"
import { leaveLargePageLock, type OpenedPage } from "../client/RawBody.ts"
import type { PageCall } from "../client/pageCalls.ts"
import { storedPage, type StoredRound } from "./StoredRound.ts"

/**
 * The marketplace, but pages that an earlier run stored are taken
 * from the disk. `onStored` hears of each of these.
 */
export const continuedMarketplace = (
  marketplace: Marketplace["Service"],
  round: StoredRound,
  onStored: () => void
): Marketplace["Service"] => ({
  ...marketplace,
  opened: <P, A extends OpenedPage<P>>(call: PageCall<P>, open: OpenPage<P, A>) =>
    Effect.flatMap(storedPage(round, call, open), (page) => {
      if (page === null) return Effect.andThen(leaveLargePageLock, marketplace.opened(call, open))
      onStored()
      return Effect.succeed(page)
    })
})
