import { grouped } from "../../src/store/diff/amountOf.ts"
import { fitColumns, leftOut } from "../../src/night/observe/textTable.ts"
import { screenWidth } from "../../src/night/observe/shortTexts.ts"
import type { GameReport } from "../../src/night/observe/RunReport.ts"

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

/** Of these, as many as the terminal has room for. */
const shown = () => {
  const room = screenWidth()
  if (room === null) return columns
  const fixed = columns.map(([, width]) => ({ whole: width, least: width }))
  const leaveOut = [4, 7, 5, 8].map((index) => ({ index, forGood: true }))
  const widths = fitColumns(fixed, room, leaveOut)
  return columns.filter((_, index) => widths[index] !== null)
}

type Column = (typeof columns)[number][0]

const line = (cell: (name: Column, width: number) => string): string =>
  shown()
    .map(([name, width], column) => (column < 3 ? cell(name, width).padEnd(width) : cell(name, width).padStart(width)))
    .join("  ")
    .trimEnd()

/** The head of the demo's table of nights. */
export const nightHeads = (): string => [line((name) => name), line((_, width) => "─".repeat(width))].join("\n")

/** Which columns of it are left out. */
export const nightsLeftOut = (): ReadonlyArray<string> => {
  const names = new Set(shown().map(([name]) => name))
  const missing = columns.map(([name]) => name).filter((name) => !names.has(name))
  return leftOut(missing, screenWidth())
}

/** The lines of a night: one for each game that was read. */
export const nightLines = (on: string, games: ReadonlyArray<GameReport>): string =>
  games
    .map(({ changes, gameId, products, refused, verdict }, index) => {
      const cells = {
        night: index === 0 ? on : "",
        game: gameId,
        verdict,
        products: grouped(products),
        refused: grouped(refused),
        added: grouped(changes?.products.added ?? null),
        modified: grouped(changes?.products.modifiedCatalogue ?? null),
        removed: grouped(changes?.products.removed ?? null),
        repriced: grouped(changes?.products.modifiedPrice ?? null)
      }
      return line((name) => cells[name])
    })
    .join("\n")
