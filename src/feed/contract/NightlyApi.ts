import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, needs } from "./Authorization.ts"
import { catalogueOperations, feedOperations } from "./catalogueOperations.ts"
import { common } from "./Errors.ts"
import { historyOperations } from "./PriceHistory.ts"
import { feedFilesOperation } from "./FeedFile.ts"
import { Schema } from "effect"
import { absent, Instant } from "./Catalogue.ts"

/** The account behind a key. `seller` is null for one that only buys. Beyond the spec: section 9. */
export const Account = Schema.Struct({
  id: absent(Schema.String),
  username: Schema.String,
  email: absent(Schema.String),
  imageUrl: absent(Schema.String),
  createdAt: absent(Instant),
  seller: Schema.NullOr(
    Schema.Struct({
      type: Schema.String,
      country: Schema.String,
      currency: Schema.String,
      available: Schema.Boolean,
      /** `staged` until the account may sell, then `live`. */
      status: absent(Schema.Literals(["staged", "live"]))
    }).annotate({ title: "AccountSeller" })
  ),
  scopes: Schema.Array(Schema.String)
}).annotate({
  title: "Account",
  description:
    "The account behind the key. `seller` is null for an account that only buys; `scopes` are those of this key."
})

/** The account behind the key. Spec: Endpoint list, used to verify a key; beyond the spec: section 9. */
export const keyOperations = HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("me", "/v1/account/me", { success: Account, error: common })
    .annotate(OpenApi.Summary, "The account behind the key, to verify a key")
    .annotateMerge(needs("account:read"))
)

/** The list of feed files, requested before a night reads them. */
const feedFiles = HttpApiGroup.make("feedFiles").add(feedFilesOperation)

/** The part of the marketplace's API that nights and backfills call; the client is derived from it. Spec: Endpoints. */
export class NightlyApi extends HttpApi.make("marketplace")
  .add(catalogueOperations, feedOperations, feedFiles, historyOperations, keyOperations)
  .middleware(Authorization) {}
