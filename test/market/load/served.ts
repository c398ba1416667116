import { Console, Effect } from "effect"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { sampleFolder } from "../Served.ts"

/** A sandbox in a process of its own: `served.ts STATE` says on its first line where it listens. */
Effect.runFork(
  Effect.scoped(
    Effect.gen(function* () {
      const { url } = yield* serveSandbox({ catalogue: sampleFolder, state: process.argv[2] ?? "" })
      yield* Console.log(url)
      return yield* Effect.never
    })
  )
)
