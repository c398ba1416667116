import { Result } from "effect"
import type { BadRequest } from "../../contract/Errors.ts"
import type { RecentSale } from "../../contract/prices/RecentSale.ts"
import { badRequest } from "../answers/badRequest.ts"
import type { Store } from "../state/Store.ts"

/** Which sales of a product are asked for. */
export interface AskedSales {
  readonly productId: number
  readonly cursor?: string
  readonly limit?: number
  readonly finish?: string
  readonly condition?: string
  readonly language?: string
}

interface SalesPage {
  readonly data: ReadonlyArray<RecentSale>
  readonly pagination: { readonly nextCursor: string | null }
}

/** The sales of a product in the last 30 days, newest first; there are none before there are orders. Beyond the spec: section 7. */
export const recentSales = (_store: Store, { cursor }: AskedSales): Result.Result<SalesPage, BadRequest> =>
  cursor === undefined
    ? Result.succeed({ data: [], pagination: { nextCursor: null } })
    : Result.fail(badRequest("cursor", "not a cursor of this list; start without one"))
