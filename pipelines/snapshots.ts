import { Console, Effect } from "effect"
import { bytesText } from "../src/night/observe/figureTexts.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { listSnapshots } from "../src/night/run/listSnapshots.ts"
import { grouped } from "../src/store/diff/formatAmount.ts"
import { inLake, readNeeds } from "./flags/inHome.ts"
import { printText } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

export const snapshots = Effect.fnUntraced(function* ({ json, line, ...flags }: typeof specs.snapshots.Input) {
  const found = yield* inLake(flags, readNeeds("recent"), () => listSnapshots)
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
    bytesText(one.sizeBytes)
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
    "size"
  ]
  // The snapshot's id contains the time.
  const leaveOut = ["deployment", "extracted (UTC)", "expansions"]
  return yield* printText(textTable(names, rows, { leaveOut, asLines: line }))
})
