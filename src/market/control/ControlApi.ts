import { HttpApi, OpenApi } from "effect/http-api"
import { buyingRoutes } from "./buyingRoutes.ts"
import { webhookRoutes } from "../events/webhookRoutes.ts"
import { faultRoutes } from "./faultRoutes.ts"
import { orderRoutes } from "./orderRoutes.ts"
import { accountRoutes } from "./accountRoutes.ts"
import { clockRoutes } from "./clockRoutes.ts"
import { dialectRoutes } from "./dialectRoutes.ts"
import { requestRoutes } from "./requestRoutes.ts"
import { limitRoutes } from "./limitRoutes.ts"
import { deployRoutes } from "./deployRoutes.ts"
import { feedRoutes } from "./feedRoutes.ts"
import { resetRoutes } from "./resetRoutes.ts"
import { tableRoutes } from "./tableRoutes.ts"
import { eventRoutes } from "./eventRoutes.ts"

/**
 * What a test or a demo does to the marketplace from outside, in place of its web pages, its carriers and
 * time: `/sandbox/...`, without a key, and not in the contract. A room adds its routes here.
 */
export class ControlApi extends HttpApi.make("control")
  .add(accountRoutes, clockRoutes, deployRoutes, eventRoutes, faultRoutes, feedRoutes, tableRoutes)
  .add(dialectRoutes, limitRoutes, requestRoutes, resetRoutes)
  .add(buyingRoutes, orderRoutes, webhookRoutes)
  .annotateMerge(OpenApi.annotations({ title: "Control routes of the sandbox", version: "v1" })) {}
