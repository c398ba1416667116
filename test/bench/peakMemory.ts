import { writeSync } from "node:fs"

/**
 * Loaded before a program with `node --import`: its last line on standard error is the peak of its resident memory and
 * its CPU time.
 */
process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(2, `\npeak ${maxRSS} KiB, ${(userCPUTime + systemCPUTime) / 1e6} s of CPU\n`)
})
