import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { marketplaceServices } from "../../pipelines/settings/services.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { extractGame } from "../../src/feed/reading/extractGame.ts"
import type { FaultPlan } from "../../src/market/faults/FaultPlan.ts"
import { quick, sandboxAt, soakKey } from "./soakHome.ts"
import { idOf } from "../store/lake/invented.ts"
import { newFolder } from "../support/suite.ts"

/** A reading's deployment and the sha256 of every page that tables are made from, in order. */
export interface Reading {
  readonly deploymentId: string | null
  readonly pages: ReadonlyArray<string>
}

/**
 * One game extracted from its own sandbox, without load: the same pages give the same Parquet files,
 * and a reading takes a tenth of a night. `reading` is the extraction or the error that it ended in.
 */
export const soakReading = Effect.fnUntraced(function* (
  catalogue: string,
  gameId: string,
  place: number,
  faults: FaultPlan = {}
) {
  const sandbox = yield* sandboxAt(catalogue, { [gameId]: place }, faults)
  const folder = join(yield* newFolder, "raw")
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: soakKey }
  const services = yield* Layer.build(marketplaceServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  const reading = yield* extractGame({ gameId, runId: idOf("run"), folder, previousDeploymentId: null }).pipe(
    Effect.map(({ deploymentId, pages }): Reading => ({
      deploymentId,
      pages: pages.filter(({ kind }) => kind !== "changelog").map((page) => `${page.request} ${page.sha256}`)
    })),
    Effect.provideService(RetryPolicy, quick),
    Effect.provideContext(services),
    Effect.result
  )
  return { reading, injected: (yield* sandbox.injected).counts, requests: yield* sandbox.requests }
}, Effect.scoped)
