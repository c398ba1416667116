import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const dayMillis = 24 * 3600 * 1000

/** Prints a figure, and the one that is wanted. */
export const line = (name: string, figure: string, wanted = "") =>
  console.log(`${name.padEnd(58)} ${figure.padEnd(34)} ${wanted}`.trimEnd())

/** Two figures as a ratio: `0.50 (1.00 s ÷ 2.00 s)`. */
export const ratio = (a: number, b: number, digits = 2, unit = "") =>
  `${(a / b).toFixed(2)} (${a.toFixed(digits)}${unit} ÷ ${b.toFixed(digits)}${unit})`

export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Seconds by the clock, and of all cores; the latter hardly depend on what else the machine does. */
export interface Used {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** What some work of this process takes. */
export const used = async (work: () => Promise<unknown>): Promise<Used> => {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (system + user) / 1e6 }
}

/** Prints what a bench is about, and runs it in a folder that is removed afterwards. */
export const bench = async (title: string, run: (folder: string) => Promise<unknown>) => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
  try {
    console.log(`${title}\n`)
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
