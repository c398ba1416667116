import { Effect } from "effect"
import { Home } from "../../../src/store/home/Home.ts"
import { copiedHome, filledHome } from "../../filledOnce.ts"
import { sampleFolder } from "../../market/Served.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"

/** The sample's smallest game. */
export const sampleGame = "clockwork-orchard"

/** Reads the sample with its odd records on two nights, with a deployment between them. */
export const twoSampleNights = Effect.gen(function* () {
  const { root } = yield* Home
  const { night, sandbox } = yield* marketplaceAndHome({ catalogue: sampleFolder, odd: true }, { CARDLAKE_HOME: root })
  yield* night(sampleGame)
  yield* sandbox.deploy(sampleGame)
  yield* night(sampleGame)
})

/** The services of the home after these nights, which all files of a run read. */
export const sampleHome = filledHome("sample", twoSampleNights)

/** The services of a copy of this home, for tests that write into it. */
export const copiedSampleHome = copiedHome("sample", twoSampleNights)
