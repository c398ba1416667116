import { grouped } from "../../src/diff/amountOf.ts"
import type { GameReport } from "../../src/observe/RunReport.ts"

/** Columns as wide as the invented games need; each night is printed when it ends, before the next is known. */
const columns = [
  ["night", 10],
  ["game", 17],
  ["verdict", 9],
  ["products", 8],
  ["refused", 7],
  ["added", 5],
  ["modified", 8],
  ["removed", 7],
  ["repriced", 8]
] as const

const line = (cells: ReadonlyArray<string>): string =>
  columns
    .map(([, width], column) =>
      column < 3 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width)
    )
    .join("  ")
    .trimEnd()

/** The head of the demo's table of nights. */
export const nightHeads = `${line(columns.map(([name]) => name))}\n${line(columns.map(([, width]) => "─".repeat(width)))}`

/** The lines of a night: one for each game that was read. */
export const nightLines = (on: string, games: ReadonlyArray<GameReport>): string =>
  games
    .map(({ changes, gameId, products, refused, verdict }, index) =>
      line([
        index === 0 ? on : "",
        gameId,
        verdict,
        grouped(products),
        grouped(refused),
        grouped(changes?.products.added ?? null),
        grouped(changes?.products.modifiedCatalogue ?? null),
        grouped(changes?.products.removed ?? null),
        grouped(changes?.products.modifiedPrice ?? null)
      ])
    )
    .join("\n")
