import { writeSync } from "node:fs"

/** Loaded before a program with `node --import`: its last line on standard error is the peak of its resident memory. */
process.on("exit", () => writeSync(2, `\npeak ${process.resourceUsage().maxRSS} KiB\n`))
