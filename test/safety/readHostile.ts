import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, Layer } from "effect"
import { extractGame } from "../../src/feed/reading/extractGame.ts"
import { marketplaceServices } from "../../pipelines/settings/marketServices.ts"
import { idOf } from "../store/lake/invented.ts"

/** Reads a game in a process of its own, and prints how that ended and its peak memory. */
const [url = "", gameId = "", folder = ""] = process.argv.slice(2)
const settings = { CARDLAKE_URL: url, CARDLAKE_API_KEY: "sk_test_0123456789abcdef" }

const exit = await Effect.runPromiseExit(
  extractGame({ gameId, runId: idOf("r1"), folder, previousDeploymentId: null }).pipe(
    Effect.provide(marketplaceServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
  )
)
const ended = Exit.isSuccess(exit) ? `${exit.value.products} products, ${exit.value.refused} refused` : "failed"
console.log(JSON.stringify({ ended, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }))
