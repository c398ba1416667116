import { NodeRuntime } from "@effect/platform-node"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { Lake } from "../../../../src/store/lake/duckdb/Lake.ts"
import { Home } from "../../../../src/store/home/Home.ts"

/** Runs two queries at once in the given home: one fails while the other needs another minute. */
const [, , root = ""] = process.argv
const services = Lake.layer.pipe(
  Layer.provideMerge(Home.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_HOME: root })))
)
const queries = Effect.gen(function* () {
  const lake = yield* Lake
  const [long, short] = [yield* lake.session, yield* lake.session]
  yield* Effect.all(
    [
      long.run("The long one", "select count(*) from range(100000000000) a(i) where hash(i) = 1"),
      Effect.delay(short.run("The short one", "select error('it fails')"), "300 millis")
    ],
    { concurrency: 2 }
  )
})

Layer.build(services).pipe(
  Effect.flatMap((context) => Effect.provideContext(queries, context)),
  Effect.scoped,
  Effect.tapError(({ message }) => Console.error(message)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
