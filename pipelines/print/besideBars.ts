import type { MultiBar } from "cli-progress"

/** Each bar on one line, trimmed to the terminal; what is written above them is wrapped. */
export const barsBelow = { hideCursor: true, linewrap: true, forceRedraw: true }

let shown: MultiBar | null = null

/** Until they stop, these bars stay below what {@link writeBesideBars} writes. */
export const keepBelow = (bars: MultiBar): MultiBar => {
  shown = bars
  bars.once("stop", () => {
    shown = null
  })
  return bars
}

/** Writes whole lines to standard error. A bar that is shown there would overwrite them, so it moves down. */
export const writeBesideBars = (lines: string): void => {
  if (shown?.isActive !== true) {
    process.stderr.write(lines)
    return
  }
  // A long line takes several rows, which hold bars until they are drawn again.
  shown.log(`\u001B[J${lines}`)
  shown.update()
}
