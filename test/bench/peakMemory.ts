import { writeSync } from "node:fs"

/**
 * Preloaded into a program (`node --import`), whose last line on standard error
 * then has its peak memory and its CPU time.
 */
process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(2, `\npeak ${maxRSS} KiB, ${(userCPUTime + systemCPUTime) / 1e6} s of CPU\n`)
})
