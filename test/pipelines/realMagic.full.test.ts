import { describe, it } from "@effect/vitest"
import { hasRealCatalogue, withRealCatalogue } from "./realCatalogue.ts"
import { readEveryDeployment } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)(withRealCatalogue("every deployment of a large real game"), () => {
  it.live(
    "magic: three nights of 108,319 products equal the files, the counted differences and the wire's prices",
    () => readEveryDeployment("magic")
  )
})
