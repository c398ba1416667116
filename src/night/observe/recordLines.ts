import { widthOf, wrapText } from "./shortTexts.ts"

/** Each record as lines, a column each, with its whole value, which goes on below. `room`: null = any number of columns. */
export const recordLines = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  room: number | null
): string => {
  const width = Math.max(0, ...names.map(widthOf))
  const indent = " ".repeat(width + 2)
  const record = (row: ReadonlyArray<string>, index: number) => [
    `── ${index + 1} ${"─".repeat(Math.max(0, width - 2 - String(index + 1).length))}`,
    ...names.flatMap((name, column) => {
      const value = row[column] ?? ""
      const [first = "", ...more] = room === null ? [value] : wrapText(value, Math.max(16, room - width - 2))
      const head = `${name}${" ".repeat(width - widthOf(name))}  ${first}`.trimEnd()
      return [head, ...more.map((line) => indent + line)]
    })
  ]
  return rows.flatMap(record).join("\n")
}
