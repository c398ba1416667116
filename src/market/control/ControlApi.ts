import { Layer } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { buyingControl, buyingRoutes } from "../buying/buyingControl.ts"
import { webhookControl, webhookRoutes } from "../events/webhookControl.ts"
import { faultControl, faultRoutes } from "./faultControl.ts"
import { orderControl, orderRoutes } from "./orderControl.ts"
import { accountControl, accountRoutes } from "./accountControl.ts"
import { clockControl, clockRoutes } from "./clockControl.ts"
import { dialectRoutes } from "./dialectControl.ts"
import { requestControl, requestRoutes, limitRoutes } from "./requestControl.ts"
import { deployControl, deployRoutes } from "./deployControl.ts"
import { feedControl, feedRoutes } from "./feedControl.ts"
import { resetRoutes } from "./resetControl.ts"
import { tableControl, tableRoutes } from "./tableControl.ts"
import { eventControl, eventRoutes } from "./eventControl.ts"

/**
 * Simulates web pages, carriers and time from outside: `/sandbox/...`, without a key and outside the contract. A room
 * adds its routes here.
 */
export class ControlApi extends HttpApi.make("control")
  .add(accountRoutes, clockRoutes, deployRoutes, eventRoutes, faultRoutes, feedRoutes, tableRoutes)
  .add(dialectRoutes, limitRoutes, requestRoutes, resetRoutes)
  .add(buyingRoutes, orderRoutes, webhookRoutes)
  .annotateMerge(OpenApi.annotations({ title: "Control routes of the sandbox", version: "v1" })) {}

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
