import type { Effect } from "effect"
import { amountOf, grouped } from "../src/diff/amountOf.ts"
import { shownText } from "../src/contract/shownText.ts"
import type { runRefusals, runReplay } from "../src/run/runReplay.ts"
import { textTable } from "../src/observe/textTable.ts"

/** What a replay found, for a person. */
export const replayText = (found: Effect.Success<ReturnType<typeof runReplay>>): string => {
  const { equal, gameId, seconds, snapshot, tables } = found
  if (equal) {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return `${gameId}: snapshot ${snapshot} made again from its raw pages in ${seconds.toFixed(1)} s: all ${tables.length} tables (${amountOf(rows, "row")}) are equal bit for bit`
  }
  const differing = tables.filter((table) => !table.equal)
  return [
    `${gameId}: snapshot ${snapshot} made again from its raw pages: ${differing.length === 1 ? "1 table differs" : `${differing.length} tables differ`}`,
    textTable(
      ["table", "rows on record", "rows now", "file"],
      differing.map(({ isWhole, rebuiltRows, rows, table }) => [
        table,
        grouped(rows),
        grouped(rebuiltRows),
        isWhole ? "as written" : "damaged"
      ])
    ),
    differing.some(({ isWhole }) => !isWhole)
      ? "A damaged file does not have the bytes that were written. Mend it with: cardlake doctor --repair"
      : "Another version of Cardlake or DuckDB writes other bytes for equal rows; with the same version the raw pages were changed. Nothing was published"
  ].join("\n")
}

/** What trying refused records again came to, for a person. */
export const refusalsText = (done: Effect.Success<ReturnType<typeof runRefusals>>): string => {
  const { before, gameId, reasons, refused, refusedBefore, snapshot, verdict } = done
  const counts = `${gameId}: of ${grouped(refusedBefore)} refused records, the present contract accepts ${grouped(refusedBefore - refused)}`
  if (verdict === "unchanged") return `${counts}; snapshot ${before} stays as it is`
  if (verdict === "published") return `${counts}. Corrected snapshot ${snapshot} is published in the place of ${before}`
  return `${counts}. Corrected snapshot ${snapshot} is held: ${shownText(reasons.join("; "))}. Publish it all the same with: cardlake release ${gameId} ${snapshot}`
}
