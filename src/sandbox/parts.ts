import { Layer } from "effect"
import { accountHandlers } from "./accounts/accountHandlers.ts"
import { catalogueHandlers } from "./catalogue/catalogueHandlers.ts"
import { feedsHandlers } from "./catalogue/feedsHandlers.ts"
import { accountControl } from "./control/accountControl.ts"
import { clockControl } from "./control/clockControl.ts"

/** The handlers of the contract, a part each. */
export const parts = Layer.mergeAll(catalogueHandlers, feedsHandlers, accountHandlers)

/** The handlers of the control routes, a part each. */
export const controls = Layer.mergeAll(accountControl, clockControl)
