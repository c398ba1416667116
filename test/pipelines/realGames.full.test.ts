import { describe, it } from "@effect/vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readDeployments } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)("every deployment of the real games, where the real catalogue is at hand", () => {
  it.live(
    "magic: three nights of 108,319 products equal the files, the counted differences and the wire's prices",
    () => readDeployments("magic")
  )
  it.live("riftbound: twelve nights equal the files and the counted differences", () => readDeployments("riftbound"))
  it.live("fleshandblood: five nights equal the files and the counted differences", () =>
    readDeployments("fleshandblood")
  )
})
