import { shownText } from "../../feed/contract/shownText.ts"
import { screenWidth, cutText, maxWordLength, measureText, splitWords, wrapText } from "./shortTexts.ts"

export interface ColumnWidth {
  /** Width of the longest text. */
  readonly whole: number
  /** Min width that is still readable. */
  readonly least: number
}

/** Blanks between two columns. */
export const gap = 2

/**
 * Returns the width of each column, or null if it is dropped. Columns are dropped in the order of `leaveOut`, never the
 * first one; then truncated texts share the remaining width.
 */
export const fitColumns = (
  columns: ReadonlyArray<ColumnWidth>,
  room: number,
  leaveOut: ReadonlyArray<{ readonly index: number; readonly forGood: boolean }>
): ReadonlyArray<number | null> => {
  const minWidth = (index: number) => columns[index]?.least ?? 0
  const kept = new Set(columns.keys())
  const dropped: Array<number> = []
  let used = columns.reduce((sum, column) => sum + column.least + gap, -gap)
  for (const { forGood, index } of leaveOut) {
    if (used <= room) break
    kept.delete(index)
    if (!forGood) dropped.push(index)
    used -= minWidth(index) + gap
  }
  // A wide dropped column may have made room for narrow ones that were dropped before.
  for (const index of dropped.toReversed()) {
    if (used + minWidth(index) + gap > room) continue
    kept.add(index)
    used += minWidth(index) + gap
  }
  const widths = columns.map((column, index) => (kept.has(index) ? Math.min(column.least, room) : null))
  let spare = room - used
  const short = [...kept]
    .map((index) => ({ index, lacks: (columns[index]?.whole ?? 0) - minWidth(index) }))
    .sort((a, b) => a.lacks - b.lacks)
  for (const [at, { index, lacks }] of short.entries()) {
    const more = Math.max(0, Math.min(lacks, Math.floor(spare / (short.length - at))))
    widths[index] = (widths[index] ?? 0) + more
    spare -= more
  }
  return widths
}

/** The layout of a table that does not fit the terminal. */
export interface TableForm {
  /** Columns that are dropped first, before those on the right. */
  readonly leaveOut?: ReadonlyArray<string>
  /** True if long texts are wrapped instead of shortened. */
  readonly wraps?: boolean
  /** True prints each record completely, one line per column. Undefined: the command has no such form. */
  readonly asLines?: boolean | undefined
  /** Columns of the terminal; null means no limit. */
  readonly room?: number | null
}

/** Min readable width of a text column. */
const readable = 20

/** Formats rows as aligned columns: names on top, numbers right-aligned, null empty. */
export const textTable = (
  heads: ReadonlyArray<string>,
  cells: ReadonlyArray<ReadonlyArray<string | null>>,
  form: TableForm = {}
): string => {
  const names = heads.map((name) => shownText(name))
  const rows = cells.map((row) => names.map((_, column) => shownText(row[column] ?? "")))
  const room = form.room === undefined ? screenWidth() : form.room
  if (form.asLines === true) return recordLines(names, rows, room)
  const figures = names.map((_, column) => rows.length > 0 && rows.every((row) => isFigure(row[column] ?? "")))
  const columns = names.map((name, column) =>
    measureColumns(
      name,
      rows.map((row) => row[column] ?? ""),
      figures[column] === true
    )
  )
  const whole = columns.map((column) => column.whole)
  const widths = room === null ? whole : fitColumns(columns, room, chooseDropOrder(names, rows, form.leaveOut ?? []))
  const line = (row: ReadonlyArray<string>) =>
    widths
      .flatMap((width, column) => {
        if (width === null) return []
        const cell = row[column] ?? ""
        const space = " ".repeat(Math.max(0, width - measureText(cell)))
        return [figures[column] === true ? space + cell : cell + space]
      })
      .join(" ".repeat(gap))
      .trimEnd()
  const fitted = (row: ReadonlyArray<string>) => row.map((cell, column) => cutText(cell, widths[column] ?? 0))
  const below = (row: ReadonlyArray<string>) => {
    const wrapped = row.map((cell, column) => wrapText(cell, widths[column] ?? 0))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, at) => line(wrapped.map((lines) => lines[at] ?? "")))
  }
  const body = rows.flatMap((row) => (form.wraps === true ? below(row) : [line(fitted(row))]))
  const rule = line(widths.map((width) => "─".repeat(width ?? 0)))
  const missing = names.filter((_, column) => widths[column] === null)
  return [line(fitted(names)), rule, ...body, ...leftOut(missing, room, form)].join("\n")
}

const measureColumns = (name: string, cells: ReadonlyArray<string>, isFigures: boolean): ColumnWidth => {
  const head = measureText(name)
  let [whole, needed] = [head, Math.max(head, readable)]
  for (const cell of cells) {
    const width = measureText(cell)
    const first = measureText(splitWords(cell)[0] ?? "")
    whole = Math.max(whole, width)
    needed = Math.max(needed, first > maxWordLength ? 0 : Math.min(width, first + 2))
  }
  return { whole, least: isFigures ? whole : Math.min(whole, needed) }
}

/** Returns the order in which columns are dropped: those without values, the named ones, then from the right. */
const chooseDropOrder = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  named: ReadonlyArray<string>
) => {
  const all = names.map((_, column) => column).slice(1)
  const empty = rows.length === 0 ? [] : all.filter((column) => rows.every((row) => row[column] === ""))
  const first = [...empty, ...named.map((name) => names.indexOf(name))]
  return [...new Set([...first, ...all.toReversed()])]
    .filter((index) => index > 0)
    .map((index) => ({ index, forGood: first.includes(index) }))
}

/** Describes which columns are dropped, and how to see them. */
export const leftOut = (
  missing: ReadonlyArray<string>,
  room: number | null,
  { asLines }: TableForm = {}
): ReadonlyArray<string> => {
  if (missing.length === 0 || room === null) return []
  const all = `widen the terminal${asLines === undefined ? "" : " or use --line"}`
  return wrapText(`Hidden columns: ${missing.join(", ")} (${all})`, room)
}

const isFigure = (cell: string): boolean =>
  cell === "" || /^[-+]?[\d,.]+(e[-+]?\d+)?( %| s| [kMGT]B| bytes?)?$/.test(cell)

/** Formats each record as one wrapped line per column. `room`: null means no limit. */
export const recordLines = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  room: number | null
): string => {
  const width = Math.max(0, ...names.map(measureText))
  const indent = " ".repeat(width + 2)
  const record = (row: ReadonlyArray<string>, index: number) => [
    `── ${index + 1} ${"─".repeat(Math.max(0, width - 2 - String(index + 1).length))}`,
    ...names.flatMap((name, column) => {
      const value = row[column] ?? ""
      const [first = "", ...more] = room === null ? [value] : wrapText(value, Math.max(16, room - width - 2))
      const head = `${name}${" ".repeat(width - measureText(name))}  ${first}`.trimEnd()
      return [head, ...more.map((line) => indent + line)]
    })
  ]
  return rows.flatMap(record).join("\n")
}
