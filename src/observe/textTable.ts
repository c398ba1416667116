import { displayWidth } from "effect/cli/CliOutput"
import { shownText } from "../contract/shownText.ts"

/** Letters of a cell that a terminal shows. */
const maxCellLength = 500

/** Rows as aligned columns for a terminal, each cell on one line: names on top, figures right-aligned, null empty. */
export const textTable = (heads: ReadonlyArray<string>, cells: ReadonlyArray<ReadonlyArray<string | null>>): string => {
  const names = heads.map((name) => shownText(name, maxCellLength))
  const rows = cells.map((row) => row.map((cell) => (cell === null ? null : shownText(cell, maxCellLength))))
  const widths = names.map((name, column) =>
    Math.max(displayWidth(name), ...rows.map((row) => displayWidth(row[column] ?? "")))
  )
  const figures = names.map((_, column) => rows.length > 0 && rows.every((row) => isFigure(row[column] ?? null)))
  const line = (cells: ReadonlyArray<string | null>) =>
    cells
      .map((cell, column) => {
        const space = " ".repeat((widths[column] ?? 0) - displayWidth(cell ?? ""))
        return figures[column] === true ? space + (cell ?? "") : (cell ?? "") + space
      })
      .join("  ")
      .trimEnd()
  return [line(names), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join("\n")
}

const isFigure = (cell: string | null): boolean => cell === null || /^[-+]?[\d,.]+( %| s)?$/.test(cell)
