import { existsSync, readFileSync } from "node:fs"

const ticksPerSecond = 100

/**
 * CPU seconds of this process and of the programs that it started and that have ended.
 * Without /proc, those of this process alone.
 */
export const cpuSeconds = (): number => {
  if (!existsSync("/proc/self/stat")) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const stat = readFileSync("/proc/self/stat", "utf8")
  // Fields 14 to 17: utime, stime, cutime, cstime. The name before them is in parentheses and may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}
