import { HttpApi, OpenApi } from "effect/http-api"
import { accountOperations } from "./account/accountOperations.ts"
import { Authorization } from "../../feed/contract/Authorization.ts"
import { cartOperations } from "./buying/cartOperations.ts"
import { productListingOperations } from "./buying/productListingOperations.ts"
import { catalogueOperations, feedOperations } from "../../feed/contract/catalogueOperations.ts"
import { feedFileOperations } from "./feeds/feedFileOperations.ts"
import { priceOperations } from "./prices/priceOperations.ts"
import { inventoryOperations, listingOperations } from "./inventory/inventoryOperations.ts"
import { labelOperations } from "./inventory/labelOperations.ts"
import { jobOperations } from "./jobs/jobOperations.ts"
import { purchaseOperations, saleOperations } from "./orders/orderOperations.ts"

/**
 * The marketplace's complete API, for nights and other clients. `/openapi.json` derives from it. The type check of
 * `src/market` fails if an operation has no handler. Spec: Endpoints; beyond the spec for its gaps.
 */
export class MarketplaceApi extends HttpApi.make("marketplace")
  .add(catalogueOperations, feedOperations, accountOperations, priceOperations, feedFileOperations)
  .add(inventoryOperations, listingOperations, labelOperations, jobOperations)
  .add(productListingOperations, cartOperations, saleOperations, purchaseOperations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Trading-card marketplace",
      version: "v1",
      description: "Catalogue, prices, stock, orders and events of a trading-card marketplace"
    })
  ) {}
