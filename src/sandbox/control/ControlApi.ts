import { HttpApi, OpenApi } from "effect/http-api"
import { accountRoutes } from "./accountRoutes.ts"
import { clockRoutes } from "./clockRoutes.ts"

/**
 * What a test or a demo does to the marketplace from outside, as its web pages, its carriers and time would: `/sandbox/...`,
 * without a key, and no part of the contract. A part adds its routes here.
 */
export class ControlApi extends HttpApi.make("control")
  .add(accountRoutes, clockRoutes)
  .annotateMerge(OpenApi.annotations({ title: "Control routes of the sandbox", version: "v1" })) {}
