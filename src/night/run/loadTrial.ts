import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { RunId } from "../../feed/contract/Ids.ts"
import { readExtraction } from "../../feed/reading/readExtraction.ts"
import { Home } from "../../store/home/Home.ts"
import { Lake } from "../../store/lake/duckdb/Lake.ts"
import { loadSnapshot } from "../../store/lake/load/loadSnapshot.ts"

/** The program of `tryLoad`: a reading that crashes its process crashes only this one. */
const [root = "", gameId = "", runId = "", work = ""] = process.argv.slice(2)

const services = Lake.layer.pipe(
  Layer.provideMerge(Home.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_HOME: root }))),
  Layer.provideMerge(NodeServices.layer)
)

const load = Effect.gen(function* () {
  const extraction = yield* readExtraction((yield* Home).raw(gameId, RunId.make(runId)))
  yield* loadSnapshot(extraction, null, { workOf: work })
})

Layer.build(services).pipe(
  Effect.flatMap((context) => Effect.provideContext(load, context)),
  Effect.scoped,
  Effect.tapError(({ message }) => Console.error(message)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
