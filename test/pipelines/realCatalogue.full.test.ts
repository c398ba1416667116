import { describe } from "@effect/vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readDeployments } from "./realNights.ts"
import { live } from "../support/suite.ts"

describe.skipIf(!hasRealCatalogue)("deployments of a real game, where the real catalogue is at hand", () => {
  live("riftbound: two nights equal the files, the counted differences and the wire's prices", () =>
    readDeployments("riftbound", { first: 2 })
  )
})
