import { describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readEveryDeployment } from "./realNights.ts"

// Real nights, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 })

describe.skipIf(!hasRealCatalogue)("every deployment of a real game, where the real catalogue is at hand", () => {
  it.live("riftbound: twelve nights equal the files, the counted differences and the wire's prices", () =>
    readEveryDeployment("riftbound")
  )
})
