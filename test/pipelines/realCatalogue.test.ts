import { describe, it } from "@effect/vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readEveryDeployment } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)("every deployment of a real game, where the real catalogue is at hand", () => {
  it.live("riftbound: twelve nights equal the files, the counted differences and the wire's prices", () =>
    readEveryDeployment("riftbound")
  )
})
