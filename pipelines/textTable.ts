import { displayWidth } from "effect/cli/CliOutput"

/** Rows as aligned columns for a terminal: names above, figures to the right, nothing cut. Cells are text; null shows empty. */
export const textTable = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string | null>>): string => {
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

/** 104746 reads 104,746. */
export const grouped = (count: number | null): string => (count === null ? "" : count.toLocaleString("en-US"))
