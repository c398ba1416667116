import { describe, it } from "@effect/vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readEveryDeployment } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)(
  "every deployment of the larger real games, where the real catalogue is at hand",
  () => {
    it.live(
      "magic: three nights of 108,319 products equal the files, the counted differences and the wire's prices",
      () => readEveryDeployment("magic")
    )
    it.live("fleshandblood: five nights equal the files and the counted differences", () =>
      readEveryDeployment("fleshandblood")
    )
  }
)
