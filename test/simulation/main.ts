import { parseArgs } from "node:util"
import { installHooks } from "./hooks.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    kind: { type: "string" },
    seed: { type: "string" },
    bug: { type: "string" },
    kept: { type: "boolean" },
    nights: { type: "string" }
  }
})
// Nobody reads the stacks of errors that are part of a history.
Error.stackTraceLimit = 0
installHooks({ bug: values.bug ?? null, hasWorld: values.nights === undefined })
if (values.nights !== undefined) {
  const { simulateNights } = await import("./nights/nights.ts")
  await simulateNights(Number(values.from), Number(values.seeds), Number(values.nights))
  // Servers of commands that were killed may still listen.
  process.exit()
}
process.memoryUsage.rss = () => 0
const { simulate } = await import("./simulate.ts")
await simulate(values)
