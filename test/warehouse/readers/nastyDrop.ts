import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { formatNames } from "../../../src/warehouse/formats.ts"
import { exportTo } from "../FourNights.ts"
import { publishNasty } from "../nastyCatalogue.ts"

/** `node test/warehouse/readers/nastyDrop.ts HOME DROP` writes a home of nasty texts, and its drop as DROP-files, DROP-iceberg and so on. */
const [home = "", drop = ""] = process.argv.slice(2)

NodeRuntime.runMain(
  Effect.andThen(
    publishNasty,
    Effect.forEach(formatNames, (format) => exportTo(`${drop}-${format}`, { format }), { discard: true })
  ).pipe(Effect.provide(lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))))
)
