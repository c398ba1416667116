import { describe, it } from "@effect/vitest"
import { hasRealCatalogue, withRealCatalogue } from "./realCatalogue.ts"
import { readEveryDeployment } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)(withRealCatalogue("every deployment of a real game"), () => {
  it.live("riftbound: twelve nights equal the files, the counted differences and the wire's prices", () =>
    readEveryDeployment("riftbound")
  )
  it.live("fleshandblood: five nights equal the files and the counted differences", () =>
    readEveryDeployment("fleshandblood")
  )
})
