import { Layer } from "effect"
import { accountHandlers } from "./accounts/accountHandlers.ts"
import { catalogueHandlers } from "./catalogue/catalogueHandlers.ts"
import { feedsHandlers } from "./catalogue/feedsHandlers.ts"
import { accountControl } from "./control/accountControl.ts"
import { clockControl } from "./control/clockControl.ts"
import { feedControl } from "./control/feedControl.ts"
import { deliverEvents } from "./events/deliverEvents.ts"
import { webhookControl } from "./events/webhookControl.ts"
import { feedFileHandlers } from "./feeds/feedFileHandlers.ts"
import { priceHandlers } from "./prices/priceHandlers.ts"
import { eventControl } from "./control/eventControl.ts"
import { inventoryHandlers } from "./inventory/inventoryHandlers.ts"
import { labelHandlers } from "./inventory/labelHandlers.ts"
import { listingHandlers } from "./inventory/listingHandlers.ts"
import { jobHandlers } from "./jobs/jobHandlers.ts"

/** The handlers of the contract, a part each. */
export const parts = Layer.mergeAll(
  catalogueHandlers,
  feedsHandlers,
  feedFileHandlers,
  priceHandlers,
  accountHandlers,
  inventoryHandlers,
  listingHandlers,
  labelHandlers,
  jobHandlers
)

/** The handlers of the control routes, a part each. */
export const controls = Layer.mergeAll(accountControl, clockControl, eventControl, feedControl, webhookControl)

/** What happens by itself, a part each. */
export const works = deliverEvents
