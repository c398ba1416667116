import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { grouped } from "../src/store/diff/amountOf.ts"
import { printText } from "./print/printAnswer.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { home, json, line } from "./flags/sharedFlags.ts"
import { inLake, reading } from "./flags/inLake.ts"
import { megabytes } from "../src/night/observe/figureTexts.ts"

/** Every whole snapshot in the home, held ones included. */
export const snapshots = Command.make(
  "snapshots",
  { home, json, line },
  Effect.fnUntraced(function* ({ json, line, ...flags }) {
    const { listSnapshots } = yield* Effect.promise(() => import("../src/night/run/listSnapshots.ts"))
    const found = yield* inLake(flags, reading("recent"), () => listSnapshots)
    if (json) return yield* Console.log(JSON.stringify(found))
    if (found.length === 0) return yield* printText("No snapshots yet. Make the first with: cardlake nightly")
    const rows = found.map((one) => [
      one.gameId,
      one.snapshot,
      one.state,
      one.deploymentId,
      one.extractedAt.slice(0, 19).replace("T", " "),
      grouped(one.products),
      grouped(one.expansions),
      grouped(one.refused),
      megabytes(one.sizeBytes)
    ])
    const names = [
      "game",
      "snapshot",
      "state",
      "deployment",
      "extracted (UTC)",
      "products",
      "expansions",
      "refused",
      "MB"
    ]
    // The snapshot's id has the time, too.
    const leaveOut = ["deployment", "extracted (UTC)", "expansions"]
    return yield* printText(textTable(names, rows, { leaveOut, asLines: line }))
  })
).pipe(
  Command.withDescription("List the snapshots in the home: current, earlier, taken back and held ones"),
  Command.withExamples([
    { command: "cardlake snapshots --line", description: "Each as lines, for a narrow terminal" },
    { command: "cardlake snapshots --json", description: "As a JSON array" }
  ])
)
