import { describe, it } from "@effect/vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readDeployments } from "./realNights.ts"

describe.skipIf(!hasRealCatalogue)("deployments of a real game, where the real catalogue is at hand", () => {
  it.live("riftbound: two nights equal the files, the counted differences and the wire's prices", () =>
    readDeployments("riftbound", { first: 2 })
  )
})
