import { route } from "../contract/operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { NotASeller } from "../contract/account/AccountErrors.ts"
import { AddToCart } from "../contract/buying/Cart.ts"
import { BadRequest, NotFound } from "../../contract/Errors.ts"
import { Conflict } from "../contract/inventory/InventoryErrors.ts"
import { Amount } from "../contract/Money.ts"
import { Country } from "../contract/orders/OrderParty.ts"
import { ShippingAddress } from "../contract/orders/Shipping.ts"

const CheckoutRequest = Schema.Struct({
  buyerId: Schema.String,
  /** Without them, the buyer's cart is paid. */
  items: Schema.optionalKey(AddToCart.fields.items),
  address: Schema.optionalKey(ShippingAddress),
  isInsured: Schema.optionalKey(Schema.Boolean)
}).annotate({ title: "CheckoutRequest" })

/** A seller's settings; an absent list stays as it is. Without rates: everywhere in the region, tracked. */
export const Selling = Schema.Struct({
  shipping: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        country: Country,
        amount: Amount,
        service: Schema.Literals(["tracked", "untracked", "managed"])
      })
    )
  ),
  excludedBuyers: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ title: "Selling" })
export type Selling = typeof Selling.Type

/** The web shop's checkout and a seller's settings, for which the API has no operation. Beyond the spec: section 13. */
export const buyingRoutes = HttpApiGroup.make("controlBuying").add(
  route(
    "POST",
    "checkout",
    "/sandbox/checkout",
    "Pay for a buyer's cart, or for the items given: one order per seller, all of them or none",
    {
      payload: CheckoutRequest,
      success: Schema.Struct({ orders: Schema.Array(Schema.String) }),
      error: [BadRequest, NotFound, Conflict]
    }
  ),
  route(
    "PUT",
    "setSelling",
    "/sandbox/accounts/:accountId/selling",
    "Where a seller ships to, for how much and how, and whom it excludes",
    {
      payload: Selling,
      success: Schema.Struct({ set: Schema.Literal(true) }),
      error: [BadRequest, NotASeller]
    }
  )
)
