import { Effect } from "effect"
import { printChanges, runDiff } from "../src/night/run/runDiff.ts"
import { inLake, readNeeds } from "./flags/inHome.ts"
import { diffPrinted } from "./print/diffPrinted.ts"
import { printExact, printText, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

export const diff = Effect.fnUntraced(function* (input: typeof specs.diff.Input) {
  const { format, from, game, json, line, minMove, minPrice, spreadsheet, to, ...flags } = input
  const chosen = format ?? (json ? "json" : "table")
  if (json && chosen !== "json") {
    return yield* wrongUsage(`Choose one of --json and --format ${chosen}`)
  }
  if (spreadsheet && chosen !== "csv") {
    return yield* wrongUsage("--spreadsheet is for CSV. Add --format csv")
  }
  if (chosen === "csv" || chosen === "ndjson") {
    const format = spreadsheet ? "spreadsheet" : chosen
    return yield* inLake(flags, readNeeds("recent", [game]), () => printChanges({ gameId: game, from, to }, format))
  }
  const shown = chosen === "table" ? 20 : 200
  const found = yield* inLake(flags, readNeeds("recent", [game]), () =>
    runDiff({ gameId: game, from, to }, { shown, minMove, minPrice })
  )
  const text = diffPrinted[chosen](found, { asLines: line })
  return yield* chosen === "table" ? printText(text) : printExact(text)
})
