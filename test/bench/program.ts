import { spawn } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** One finished run of the program as a user starts it. */
export interface Finished {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMegabytes: number
  readonly output: string
  /** Standard error, where the events of a night are. */
  readonly errors: string
}

/** The program as a checkout starts it. */
export const ofSource = path("../../pipelines/start.ts")

/** Runs `cardlake …` in a process of its own. Rejects when it does not end with 0. */
export const runProgram = (
  args: ReadonlyArray<string>,
  settings: Record<string, string>,
  program = ofSource
): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, ["--import", path("peakMemory.ts"), program, ...args], {
      // Benches of nights are of pages, unless they say otherwise.
      env: { ...process.env, CARDLAKE_VIA: "pages", ...settings }
    })
    let output = ""
    let errors = ""
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.on("close", (code) => {
      const [, peak, cpu] = /peak (\d+) KiB, ([\d.]+) s of CPU/.exec(errors) ?? []
      const seconds = (performance.now() - startedAt) / 1000
      if (code === 0) resolve({ seconds, cpuSeconds: Number(cpu), peakMegabytes: Number(peak) / 1024, output, errors })
      else reject(new Error(`cardlake ${args.join(" ")} ended with ${code}: ${errors}${output}`))
    })
  })

/** A sandbox in a process of its own. */
export interface Service {
  readonly url: string
  readonly key: string
  readonly stop: () => void
}

/** Settings of a home that a sandbox fills. */
export const settingsOf = ({ key, url }: Pick<Service, "key" | "url">, home: string) => ({
  CARDLAKE_URL: url,
  CARDLAKE_API_KEY: key,
  CARDLAKE_HOME: home
})

/** A first night of a game in an empty home, after which the sandbox stops; returns the folder of its snapshot. */
export const seedNight = async (sandbox: Service, gameId: string, home: string): Promise<string> => {
  await runProgram(["nightly", gameId, "--json"], settingsOf(sandbox, home))
  sandbox.stop()
  const [snapshot = ""] = globSync(join(home, "snapshots", `game=${gameId}`, "*"))
  return snapshot
}

/** Has the sandbox deploy the next catalogue of a game. */
export const deploy = ({ url }: Pick<Service, "url">, gameId: string) =>
  fetch(`${url}/sandbox/deploy`, {
    method: "POST",
    headers: { connection: "close", "content-type": "application/json" },
    body: JSON.stringify({ gameId })
  })

/** Starts a service in a process of its own and waits for the JSON with its address. */
const startService = <A extends { readonly url: string }>(
  args: ReadonlyArray<string>,
  program = ofSource
): Promise<A & { readonly stop: () => void }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args, "--json"])
    child.on("error", reject)
    child.stdout.once("data", (line: Buffer) => {
      resolve({ ...(JSON.parse(line.toString()) as A), stop: () => child.kill("SIGKILL") })
    })
  })

interface Market {
  readonly url: string
  readonly key: string
}

/** Serves made-up products of one game. */
export const startSandbox = (products: number, dialect = "spec") =>
  startService<Market>([String(products), dialect], join(import.meta.dirname, "serveSynthetic.ts"))

/** A folder's catalogue, for one account that nothing limits. */
export const startSandboxOf = (folder: string) =>
  startService<Market>(["sandbox", "--live-prices", "frozen", "--catalogue", folder, "--empty"])

export const startExplore = (home: string) => startService(["explore", "--port", "0", "--home", home])
