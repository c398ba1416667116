import { Effect, Layer } from "effect"
import { accountHandlers } from "./accounts/accountHandlers.ts"
import { buyingControl } from "./control/buyingControl.ts"
import { cartHandlers } from "./buying/cartHandlers.ts"
import { productListingHandlers } from "./buying/productListingHandlers.ts"
import { catalogueHandlers } from "./search/catalogueHandlers.ts"
import { feedsHandlers, feedFileHandlers } from "./feeds/feedHandlers.ts"
import { accountControl } from "./control/accountControl.ts"
import { clockControl } from "./control/clockControl.ts"
import { deployControl } from "./control/deployControl.ts"
import { faultControl } from "./control/faultControl.ts"
import { requestControl } from "./control/requestControl.ts"
import { feedControl } from "./control/feedControl.ts"
import { tableControl } from "./control/tableControl.ts"
import { deliverEvents } from "./events/deliverEvents.ts"
import { webhookControl } from "./events/webhookControl.ts"
import { priceHandlers } from "./prices/priceHandlers.ts"
import { eventControl } from "./control/eventControl.ts"
import { inventoryHandlers, listingHandlers } from "./inventory/inventoryHandlers.ts"
import { labelHandlers } from "./inventory/labels.ts"
import { jobHandlers } from "./jobs/jobHandlers.ts"
import { orderControl } from "./control/orderControl.ts"
import { orderTimers } from "./orders/stepOrder.ts"
import { purchaseHandlers, saleHandlers } from "./orders/orderHandlers.ts"

/** The handlers of the contract, by room. */
export const handlers = Layer.mergeAll(
  catalogueHandlers,
  feedsHandlers,
  feedFileHandlers,
  priceHandlers,
  accountHandlers,
  inventoryHandlers,
  listingHandlers,
  labelHandlers,
  jobHandlers,
  productListingHandlers,
  cartHandlers,
  saleHandlers,
  purchaseHandlers
)

/** The handlers of the control routes, by room. */
export const controls = Layer.mergeAll(
  accountControl,
  clockControl,
  deployControl,
  eventControl,
  faultControl,
  feedControl,
  requestControl,
  tableControl,
  buyingControl,
  orderControl,
  webhookControl
)

/** Background work, by room: order timers and event delivery. */
export const works = Effect.all([orderTimers, deliverEvents], { discard: true })
