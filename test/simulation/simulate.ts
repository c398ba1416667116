import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type History, type Outcome, shrink, textOfStep } from "./history.ts"
import { generateBucket, runBucket } from "./protocol/bucket.ts"
import { generateBudget, runBudget } from "./protocol/budget.ts"
import { generateFolder, runFolder } from "./protocol/folder.ts"
import { generateLog, runLog } from "./protocol/log.ts"

interface Kind {
  readonly generate: (seed: number) => History
  readonly run: (history: History, isTraced?: boolean) => Promise<Outcome>
}

const kinds: Readonly<Record<string, Kind>> = {
  folder: { generate: generateFolder, run: runFolder },
  bucket: { generate: generateBucket, run: runBucket },
  budget: { generate: generateBudget, run: runBudget },
  log: { generate: generateLog, run: runLog }
}

const kindOf = (name: string): Kind => {
  const kind = kinds[name]
  if (kind === undefined) throw new Error(`no kind is called ${name}; there are ${Object.keys(kinds).join(", ")}`)
  return kind
}

/** Histories that showed a bug of the program. */
const keptHistories = (): ReadonlyArray<History> =>
  (JSON.parse(readFileSync(join(import.meta.dirname, "kept.json"), "utf8")) as ReadonlyArray<{ history: History }>).map(
    ({ history }) => history
  )

/** Shows every operation of one history. */
const show = async (name: string, seed: number): Promise<void> => {
  const { generate, run } = kindOf(name)
  const history = generate(seed)
  for (const step of history.steps) console.log(`- ${textOfStep(step)}`)
  const { trace, violation } = await run(history, true)
  console.log(trace.join("\n"))
  console.log(violation?.message ?? "every oracle agrees")
}

/** Runs one history after the other. The first that fails is shortened and printed, and ends the run. */
const runAll = async (histories: Iterable<History>): Promise<void> => {
  const began = performance.now()
  const cpu = process.cpuUsage()
  let [done, operations] = [0, 0]
  for (const history of histories) {
    const { run } = kindOf(history.kind)
    const outcome = await run(history)
    done++
    operations += outcome.operations
    if (outcome.violation === null) continue
    console.log(`seed ${history.seed} (${history.kind}): ${outcome.violation.message}`)
    for (const step of (await shrink(history, run)).steps) console.log(`  ${textOfStep(step)}`)
    process.exitCode = 1
    break
  }
  const seconds = (performance.now() - began) / 1000
  const { system, user } = process.cpuUsage(cpu)
  const perCpuSecond = Math.round(done / ((system + user) / 1e6))
  console.log(
    `${done} histories in ${seconds.toFixed(1)} s, ${perCpuSecond} a CPU second, ${Math.round(operations / done)} operations each`
  )
}

/** What the command line asks for. */
export interface Asked {
  readonly seeds: string
  readonly from: string
  readonly kind?: string | undefined
  readonly seed?: string | undefined
  /** Those that showed a bug, too. */
  readonly kept?: boolean | undefined
}

export const simulate = async ({ from, kept, kind, seed, seeds }: Asked): Promise<void> => {
  const names = kind === undefined ? Object.keys(kinds) : [kind]
  if (seed !== undefined) return await show(names[0] ?? "", Number(seed))
  const numbers = Array.from({ length: Number(seeds) }, (_, at) => Number(from) + at)
  const generated = numbers.map((one) => kindOf(names[one % names.length] ?? "").generate(one))
  return await runAll(kept === true ? [...keptHistories(), ...generated] : generated)
}
