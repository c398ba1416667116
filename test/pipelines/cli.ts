import { assert } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Exit, Scope } from "effect"
import type { SandboxOptions } from "../../src/market/Sandbox.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { type Ended, type Place, runHere } from "./runHere.ts"

/** The project, and the Node that its npm scripts run on. */
export const root = fileURLToPath(new URL("../..", import.meta.url))
export const node = join(root, "node_modules/.bin/node")
export const main = join(root, "pipelines/start.ts")

/** The key of these tests alone: no output and no file may have it. */
export const key = "cl_test_b2f7e94c51d84c0a"

export interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves once standard output or standard error has shown the text. */
  readonly shows: (text: string) => Promise<void>
  /** What it has shown until now. */
  readonly text: () => string
}

export interface Where {
  readonly env?: Record<string, string>
  readonly cwd?: string
}

const ofTests = new Set(["npm_command", "NODE_COMPILE_CACHE"])

/** The environment without any setting of Cardlake but the way of reading of most tests, and as if npm had not started the tests. */
const bare = (): NodeJS.ProcessEnv =>
  Object.fromEntries([
    ...Object.entries(process.env).filter(([name]) => !name.startsWith("CARDLAKE_") && !ofTests.has(name)),
    ["CARDLAKE_VIA", "pages"]
  ])

/** Programs that still run; a test that fails in its set-up does not stop them. */
const running = new Set<ChildProcess>()
process.once("exit", () => running.forEach((child) => child.kill()))

/** Starts a program; it ends with the tests of the file at the latest. */
export const start = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd = tmpdir(), env = {} }: Where = {}
): Started => {
  const child = spawn(command, args, { cwd, env: { ...bare(), ...env }, stdio: ["ignore", "pipe", "pipe"] })
  running.add(child)
  child.once("close", () => running.delete(child))
  let stdout = ""
  let stderr = ""
  const watchers = new Set<() => void>()
  const note = () => watchers.forEach((watch) => watch())
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
    note()
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    note()
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })
  const shows = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => {
        if (stdout.includes(text) || stderr.includes(text)) resolve()
      }
      watchers.add(watch)
      watch()
      void ended.then(() => reject(new Error(`it ended without "${text}":\n${stdout}${stderr}`)))
    })
  return { process: child, ended, shows, text: () => stdout + stderr }
}

/** Starts `cardlake` in a process of its own. */
export const startCardlake = (args: ReadonlyArray<string>, where: Where = {}) => start(node, [main, ...args], where)

/** Runs `cardlake` in this process, as a new one loads all modules again. Its output has no key. */
export const cardlake = async (
  args: ReadonlyArray<string>,
  { cwd = tmpdir(), env = {}, ...waits }: Where & Partial<Pick<Place, "hasShortWaits" | "storePatienceMillis">> = {}
): Promise<Ended> => {
  const ended = await runHere(args, { cwd, env: { ...bare(), ...env }, ...waits })
  assert.notInclude(ended.stdout + ended.stderr, key)
  return ended
}

/** What a command printed as its one JSON document. */
export const json = (ended: Ended): unknown => {
  assert.strictEqual(ended.code, 0, ended.stderr)
  return JSON.parse(ended.stdout)
}

/**
 * Asserts a fault: the exit code, and after progress one sentence with the next step on standard
 * error. Standard output is empty, or with `--json` the object that says the same: of a night its report.
 */
export const assertFault = (ended: Ended, code: number, sentence: RegExp): void => {
  assert.strictEqual(ended.code, code, ended.stderr)
  if (ended.stdout !== "") {
    const { dryRun: _, reason, ...rest } = JSON.parse(ended.stdout) as { reason: string; dryRun?: true }
    const report: Readonly<Record<string, unknown>> = rest
    if ("verdict" in report) assert.deepStrictEqual(report, { run: null, verdict: "failed", games: [] })
    else assert.strictEqual(report["exitCode"], code)
    // JSON names the home of the setting, too: whoever reads it has no setting.
    assert.include(ended.stderr, reason.replaceAll(/(?<=\bcardlake \w+) --home [^\s;]+/g, ""))
  }
  const sentences = ended.stderr
    .split("\n")
    .filter((line) => line !== "" && !/^[\w-]+: (reading|loading|comparing|publishing)/.test(line))
  assert.strictEqual(sentences.length, 1, ended.stderr)
  assert.match(sentences[0] ?? "", sentence)
}

/** An empty folder; the caller removes it. */
export const temporaryFolder = () => mkdtempSync(join(tmpdir(), "cardlake-cli-"))
export const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

export const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** sha256 of the published lake. */
export const lakeHash = (home: string): string =>
  createHash("sha256")
    .update(readFileSync(join(home, "lake.duckdb")))
    .digest("hex")

/** A sandbox that accepts the key, of the sample catalogue with its odd records unless another one is named. */
export const startSandbox = async (options: Partial<SandboxOptions> = {}) => {
  const scope = Scope.makeUnsafe()
  const catalogue = join(root, "data/sample")
  const odd = options.catalogue === undefined
  const { deploy, requests, url } = await Effect.runPromise(
    Scope.provide(serveSandbox({ catalogue, odd, key, ...options }), scope)
  )
  return {
    url,
    deploy: (gameId: string) => Effect.runPromise(deploy(gameId)),
    /** How often each request came: with a plan of faults. */
    requests: () => Effect.runPromise(requests),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** The settings that point a command at a marketplace and a home. */
export const settings = (url: string, home: string) => ({
  CARDLAKE_URL: url,
  CARDLAKE_API_KEY: key,
  CARDLAKE_HOME: home
})
