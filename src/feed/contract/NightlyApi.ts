import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account } from "./Account.ts"
import { Authorization } from "./Authorization.ts"
import { catalogueOperations, feedOperations } from "./catalogueOperations.ts"
import { common } from "./Errors.ts"
import { historyOperations } from "./PriceHistory.ts"
import { feedFilesOperation } from "./FeedFile.ts"
import { needs } from "./Scopes.ts"

/** The account behind the key. Spec: Endpoint list, used to verify a key; beyond the spec: section 9. */
export const keyOperations = HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("me", "/v1/account/me", { success: Account, error: common })
    .annotate(OpenApi.Summary, "The account behind the key, to verify a key")
    .annotateMerge(needs("account:read"))
)

/** What a night asks before it reads feed files. */
const feedFiles = HttpApiGroup.make("feedFiles").add(feedFilesOperation)

/** The part of the marketplace's API that nights and backfills call; the client is derived from it. Spec: Endpoints. */
export class NightlyApi extends HttpApi.make("marketplace")
  .add(catalogueOperations, feedOperations, feedFiles, historyOperations, keyOperations)
  .middleware(Authorization) {}
