import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import packageJson from "../../package.json" with { type: "json" }

/** `--version --json`: which program this is, what it reads and writes, and what it runs on. */
export const printVersion = Effect.gen(function* () {
  const { contractVersion } = yield* Effect.promise(() => import("../../src/feed/schema/snapshotTables.ts"))
  const { homeFormat } = yield* Effect.promise(() => import("../../src/store/home/HomeMarker.ts"))
  const duckdb = yield* Effect.promise(() => import("@duckdb/node-api"))
  const facts = {
    version: packageJson.version,
    contractVersion,
    homeFormat,
    node: process.versions.node,
    duckdb: duckdb.version(),
    platform: `${process.platform}-${process.arch}`
  }
  yield* Console.log(JSON.stringify(facts))
})

/** Whether a command line asks for it, in either order. */
export const asksForVersion = (args: ReadonlyArray<string>): boolean =>
  args.length === 2 && args.includes("--version") && args.includes("--json")
