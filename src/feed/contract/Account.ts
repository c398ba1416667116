import { Schema } from "effect"
import { absent, Instant } from "./Catalogue.ts"

/**
 * The account behind a key; used to verify a key. `seller` is null
 * for an account that only buys. Beyond the spec: section 9.
 */
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
