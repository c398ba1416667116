import { HttpApi, OpenApi } from "effect/http-api"
import { buyingRoutes } from "./buyingControl.ts"
import { webhookRoutes } from "../events/webhookControl.ts"
import { faultRoutes } from "./faultControl.ts"
import { orderRoutes } from "./orderRoutes.ts"
import { accountRoutes } from "./accountControl.ts"
import { clockRoutes } from "./clockControl.ts"
import { dialectRoutes } from "./dialectControl.ts"
import { requestRoutes, limitRoutes } from "./requestControl.ts"
import { deployRoutes } from "./deployControl.ts"
import { feedRoutes } from "./feedControl.ts"
import { resetRoutes } from "./resetControl.ts"
import { tableRoutes } from "./tableControl.ts"
import { eventRoutes } from "./eventControl.ts"

/**
 * Simulates web pages, carriers and time from outside: `/sandbox/...`, without a key and outside the contract. A room
 * adds its routes here.
 */
export class ControlApi extends HttpApi.make("control")
  .add(accountRoutes, clockRoutes, deployRoutes, eventRoutes, faultRoutes, feedRoutes, tableRoutes)
  .add(dialectRoutes, limitRoutes, requestRoutes, resetRoutes)
  .add(buyingRoutes, orderRoutes, webhookRoutes)
  .annotateMerge(OpenApi.annotations({ title: "Control routes of the sandbox", version: "v1" })) {}
