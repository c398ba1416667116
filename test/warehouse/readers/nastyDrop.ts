import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { exportTo } from "../Dropped.ts"
import { publishNasty } from "../nastyCatalogue.ts"

/** `node test/warehouse/readers/nastyDrop.ts HOME DROP` writes a home of nasty texts, and its drop as files. */
const [home = "", drop = ""] = process.argv.slice(2)

NodeRuntime.runMain(
  Effect.andThen(publishNasty, exportTo(drop)).pipe(
    Effect.provide(lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer)))
  )
)
