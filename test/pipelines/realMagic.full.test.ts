import { describe, it } from "@effect/vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readEveryDeployment } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)("every deployment of a large real game, where the real catalogue is at hand", () => {
  it.live(
    "magic: three nights of 108,319 products equal the files, the counted differences and the wire's prices",
    () => readEveryDeployment("magic")
  )
})
