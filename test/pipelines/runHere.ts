import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Console, Effect, Logger, Runtime, Semaphore } from "effect"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import { Console as NodeConsole } from "node:console"
import { cardlake } from "../../pipelines/cardlake.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { StorePatience } from "../../src/store/home/bucket/StorePatience.ts"

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a command runs. */
export interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Whether the waits between attempts, and nothing else of them, are a hundredth as long. */
  readonly hasShortWaits?: boolean
  /** How long a store that does not answer is waited for. */
  readonly storePatienceMillis?: number
}

const policy = RetryPolicy.defaultValue()
const shortWaits = { ...policy, baseMillis: policy.baseMillis / 100, maxBackoffMillis: policy.maxBackoffMillis / 100 }

/** Keeps what is written to a stream of this process, instead of showing it. */
const capture = (stream: NodeJS.WriteStream) => {
  const chunks: Array<Buffer> = []
  const write = stream.write.bind(stream)
  stream.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<unknown>) => {
    chunks.push(Buffer.from(chunk))
    const written = rest.find((each) => typeof each === "function")
    written?.()
    return true
  }
  return () => {
    stream.write = write
    return Buffer.concat(chunks).toString("utf8")
  }
}

const setEnvironment = (env: NodeJS.ProcessEnv) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

// Each set of Node's services that files of this process have open listens to its end: more than ten are no leak.
process.stdin.setMaxListeners(0)

/** Folder, environment and output belong to the whole process: one command at a time. */
const turn = Semaphore.makeUnsafe(1)

/** Runs `cardlake` to its end in this process, as pipelines/main.ts does in one of its own. */
export const runHere = (
  args: ReadonlyArray<string>,
  { cwd, env, hasShortWaits = false, storePatienceMillis = StorePatience.defaultValue() }: Place
): Promise<Ended> =>
  Effect.gen(function* () {
    const [folder, environment] = [process.cwd(), { ...process.env }]
    const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
    process.chdir(cwd)
    setEnvironment(env)
    const exit = yield* cardlake(args).pipe(
      // The terminal is what this process takes it for now; the default looks once.
      Effect.provide(TerminalCapabilities.layer),
      Effect.provide(NodeServices.layer),
      Effect.provideService(Logger.LogToStderr, true),
      Effect.provideService(RetryPolicy, hasShortWaits ? shortWaits : policy),
      Effect.provideService(StorePatience, storePatienceMillis),
      // The default provider read the environment before it was set.
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv()),
      Effect.provideService(Console.Console, new NodeConsole(process.stdout, process.stderr)),
      Effect.exit
    )
    setEnvironment(environment)
    process.chdir(folder)
    let code = 0
    Runtime.defaultTeardown(exit, (ended) => (code = ended))
    return { code, stdout: stdout(), stderr: stderr() }
  }).pipe(turn.withPermit, Effect.runPromise)
