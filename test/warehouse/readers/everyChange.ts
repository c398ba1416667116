import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { exportEveryChange } from "../exportEveryChange.ts"
import { FourNights } from "../FourNights.ts"

/**
 * `node test/warehouse/readers/everyChange.ts HOME DROP FORMAT` writes what `exportEveryChange` makes.
 * FORMAT: iceberg, delta, ducklake, or rest: Iceberg in a REST catalogue, served until stopped.
 */
const [home = "", drop = "", format = ""] = process.argv.slice(2)

/** Loaded only where it is needed, because loading it calls Maven. */
const served = Effect.flatMap(
  Effect.promise(() => import("../catalogue/serveCatalogue.ts")),
  ({ serveCatalogue }) => serveCatalogue
)

const exported = Effect.gen(function* () {
  const address = format === "rest" ? yield* served : null
  const services = yield* FourNights.copyTo(home, address === null ? {} : { ICEBERG_REST_URL: address })
  const tableFormat = format === "delta" || format === "ducklake" ? format : "iceberg"
  yield* Effect.provideContext(exportEveryChange(drop, tableFormat), services)
  console.log(`${drop} is written${address === null ? "" : `, and its tables are in ${address}`}`)
  if (address !== null) return yield* Effect.never
})

NodeRuntime.runMain(exported.pipe(Effect.scoped, Effect.provide(FourNights.layer)))
