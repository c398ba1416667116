import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

/** Prints the CPU seconds of a run and of its twenty slowest files. */
export default class CpuReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const files = modules
      .map((file) => ({ name: relative(process.cwd(), file.moduleId), seconds: file.meta().cpuSeconds ?? 0 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    if (files.length < 2) return
    // Of this process alone: what its workers used is counted with their files.
    const { user, system } = process.cpuUsage()
    const reporterSeconds = (user + system) / 1e6
    const sum = files.reduce((total, { seconds }) => total + seconds, reporterSeconds)
    const rows = files.slice(0, 20).map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${name}`)
    console.log([`\nCPU seconds of the run: ${sum.toFixed(0)}; of its slowest files:`, ...rows].join("\n"))
  }
}
