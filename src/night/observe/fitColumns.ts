/** How wide a column of a table is. */
export interface ColumnWidth {
  /** With every text whole. */
  readonly whole: number
  /** With its texts as short as they can be read. */
  readonly least: number
}

/** Blanks between two columns. */
export const gap = 2

/**
 * How wide each column is shown; null: it is left out. Whole columns go first, in the order of `leaveOut`, never the
 * first one; then the texts that are still too short share what room is left.
 */
export const fitColumns = (
  columns: ReadonlyArray<ColumnWidth>,
  room: number,
  leaveOut: ReadonlyArray<{ readonly index: number; readonly forGood: boolean }>
): ReadonlyArray<number | null> => {
  const least = (index: number) => columns[index]?.least ?? 0
  const kept = new Set(columns.keys())
  const gone: Array<number> = []
  let taken = columns.reduce((sum, column) => sum + column.least + gap, -gap)
  for (const { forGood, index } of leaveOut) {
    if (taken <= room) break
    kept.delete(index)
    if (!forGood) gone.push(index)
    taken -= least(index) + gap
  }
  // A wide column may have made room for narrow ones that went before it.
  for (const index of gone.toReversed()) {
    if (taken + least(index) + gap > room) continue
    kept.add(index)
    taken += least(index) + gap
  }
  const widths = columns.map((column, index) => (kept.has(index) ? Math.min(column.least, room) : null))
  let spare = room - taken
  const short = [...kept]
    .map((index) => ({ index, lacks: (columns[index]?.whole ?? 0) - least(index) }))
    .sort((a, b) => a.lacks - b.lacks)
  for (const [at, { index, lacks }] of short.entries()) {
    const more = Math.max(0, Math.min(lacks, Math.floor(spare / (short.length - at))))
    widths[index] = (widths[index] ?? 0) + more
    spare -= more
  }
  return widths
}
