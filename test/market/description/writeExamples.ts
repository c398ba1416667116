import { Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { Served } from "../Served.ts"
import { recordExamples } from "./recordExamples.ts"

/** Records the examples of the API's description anew: `node test/market/description/writeExamples.ts`. */
const target = new URL("../../../src/market/description/examples.json", import.meta.url)

const write = Effect.map(recordExamples, (examples) => writeFileSync(target, `${JSON.stringify(examples, null, 2)}\n`))

await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(Layer.build(Served.layer({ faults: {} })), (served) => Effect.provideContext(write, served))
  )
)
