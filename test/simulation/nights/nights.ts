import { NodeServices } from "@effect/platform-node"
import { DuckDBInstance } from "@duckdb/node-api"
import { Context, Effect, Exit, Fiber, Layer, References, Scheduler } from "effect"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { allServices } from "../../../pipelines/settings/marketServices.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { Disk, Processes } from "../../../src/feed/disk/Disk.ts"
import type { TestPlan } from "../../../src/market/faults/Faults.ts"
import type { RunReport } from "../../../src/night/observe/RunReport.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { runPrune } from "../../../src/night/run/runPrune.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { catalogueFolder, card, expansion, gameId } from "../../store/lake/invented.ts"
import { placeOfSnapshot, readReferences, type References as Readings } from "../../soak/references.ts"
import { publishedState, quick, sandboxAt, soakKey } from "../../soak/soakHome.ts"
import { pageFault } from "../../support/pageFaults.ts"
import { Violation } from "../history.ts"
import { randomOf, type Random } from "../machine/random.ts"
import { makeDurableFolder, type Mortal, mortalDisk } from "./durableDisk.ts"

/** More cards than a page has: what is on a page shifts when the game is deployed. */
const cards = 210
const days = 6

const deployments = Array.from({ length: days }, (_, day) => ({
  expansions: [expansion(1)],
  products: Array.from({ length: cards }, (_, index) =>
    card(day * 2 + index + 1, {
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 1 + ((day * 7 + index) % 13) } } }
    })
  )
}))

/** Faults that only a whole reading shows. */
const confusing: NonNullable<TestPlan["rules"]> = [
  pageFault({ kind: "page-twice", times: 1 }),
  pageFault({ kind: "page-skipped", times: 1 }),
  { kind: "redeploy", endpoint: "products", at: [1, 2, 3], times: 1 },
  { kind: "reset-body", times: 2 }
]

/** Tasks of a killed process are dropped. */
const schedulerOf = (mortal: Mortal): Scheduler.Scheduler => {
  const usual = new Scheduler.MixedScheduler("async", (run) => {
    const timer = setImmediate(() => {
      if (!mortal.isDead) run()
    })
    return () => clearImmediate(timer)
  })
  return usual
}

/** What a process has opened, which the system closes when it is killed. */
const openedBy = () => {
  const instances: Array<DuckDBInstance> = []
  const workers: Array<Worker> = []
  const create = DuckDBInstance.create.bind(DuckDBInstance)
  DuckDBInstance.create = async (...parameters) => {
    const instance = await create(...parameters)
    instances.push(instance)
    return instance
  }
  const noteWorker = (worker: Worker) => void workers.push(worker)
  process.on("worker", noteWorker)
  return {
    forget: () => {
      DuckDBInstance.create = create
      process.off("worker", noteWorker)
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()))
      for (const instance of instances) instance.closeSync()
    }
  }
}

interface Command {
  readonly name: "night" | "rollback" | "prune"
  readonly url: string
  readonly root: string
}

const commandOf = ({ name, root, url }: Command) => {
  const settings = {
    CARDLAKE_URL: url,
    CARDLAKE_API_KEY: soakKey,
    CARDLAKE_HOME: root,
    CARDLAKE_VIA: "pages",
    // A rollback may be followed by any reading.
    CARDLAKE_HOLD_REMOVED: "1"
  }
  const run = {
    night: runNight([], () => {}),
    rollback: Effect.as(runRollback({ gameId, wanted: null, why: null }), null),
    prune: Effect.as(runPrune({ days: null, last: 2, monthly: false }, false), null)
  }[name]
  return Layer.build(allServices(settings).pipe(Layer.provideMerge(NodeServices.layer))).pipe(
    Effect.flatMap((services) =>
      // @effect-diagnostics-next-line unsafeEffectTypeAssertion:off -- the steps differ in what they need and report
      Effect.provideContext(run as Effect.Effect<RunReport | null, unknown, never>, services)
    ),
    Effect.provideService(RetryPolicy, quick),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.scoped
  )
}

/** Runs a command to its end, or until it is killed: null. */
const runMortal = async (
  command: Command,
  pid: number,
  diesAt: number,
  folder: ReturnType<typeof makeDurableFolder>
) => {
  const opened = openedBy()
  let killed: (value: null) => void = () => {}
  const death = new Promise<null>((resolve) => {
    killed = resolve
  })
  const mortal: Mortal = {
    isDead: false,
    operations: 0,
    diesAt,
    begun: new Set(),
    die: () => {
      mortal.isDead = true
      killed(null)
    }
  }
  const processes = Processes.defaultValue()
  const context = Context.empty().pipe(
    Context.add(Disk, mortalDisk(mortal, folder)),
    Context.add(Processes, {
      ...processes,
      pid,
      isAlive: (other: number) => other === pid,
      startOf: (other: number) => (other === pid ? String(other) : "")
    })
  ) as Context.Context<never>
  const fiber = Effect.runForkWith(context)(commandOf(command) as Effect.Effect<RunReport | null, unknown>, {
    scheduler: schedulerOf(mortal)
  })
  const exit = await Promise.race([Effect.runPromise(Fiber.await(fiber)), death])
  opened.forget()
  if (exit === null) {
    await opened.close()
    await Promise.allSettled(mortal.begun)
  }
  return exit
}

const check = async (root: string, references: Readings, [first, last]: readonly [number, number]): Promise<void> => {
  const state = await Effect.runPromise(publishedState(root))
  const published = state.snapshots[gameId]
  if (published === undefined) return
  const place = placeOfSnapshot(references[gameId] ?? [], published)
  if (typeof place === "string") throw new Violation("2 one deployment", `the published snapshot is ${place}`)
  if (place < first || place > last)
    throw new Violation("1 in order", `place ${place} is published, not ${first} to ${last}`)
}

/** Runs a history of whole nights; returns how many commands it had. */
const runHistory = async (seed: number, catalogue: string, references: Readings, nights: number): Promise<number> => {
  const random = randomOf(seed, 5)
  const base = mkdtempSync(join(tmpdir(), "cardlake-simulation-"))
  const [root, spare] = [join(base, "home"), join(base, "spare")]
  mkdirSync(spare)
  mkdirSync(root)
  const folder = makeDurableFolder(root, spare)
  let place = 0
  let commands = 0
  try {
    for (let night = 0; night < nights; night++) {
      place = Math.min(days - 1, place + random.int(2))
      commands++
      const step = { place, isLast: night === nights - 1, pid: 2_000_000 + commands }
      place = await runStep(step, { random, catalogue, root, folder, references })
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
  return commands
}

interface Around {
  readonly random: Random
  readonly catalogue: string
  readonly root: string
  readonly folder: ReturnType<typeof makeDurableFolder>
  readonly references: Readings
}

/** Runs one command, perhaps to its death, and checks the home. Returns the place of the game afterwards. */
const runStep = (
  { isLast, pid, place }: { readonly place: number; readonly isLast: boolean; readonly pid: number },
  { catalogue, folder, random, references, root }: Around
): Promise<number> =>
  Effect.gen(function* () {
    const plan: TestPlan = isLast || random.chance(0.4) ? {} : { rules: [random.pick(confusing)] }
    const sandbox = yield* sandboxAt(catalogue, { [gameId]: place }, plan)
    const name = isLast || random.chance(0.75) ? "night" : random.pick(["rollback", "prune"] as const)
    const diesAt = !isLast && random.chance(0.4) ? 1 + random.int(700) : 0
    const exit = yield* Effect.promise(() => runMortal({ name, url: sandbox.url, root }, pid, diesAt, folder))
    if (exit === null && random.chance(0.5)) folder.losePower(random)
    const after = ((yield* sandbox.games)[0]?.place ?? 1) - 1
    const isRepublished = exit !== null && Exit.isSuccess(exit) && name === "night" && exit.value?.verdict !== "failed"
    const first = isRepublished && exit.value?.verdict === "published" ? place : 0
    yield* Effect.promise(() => check(root, references, [first, after]))
    if (isLast && !isRepublished) {
      const why =
        exit !== null && Exit.isSuccess(exit)
          ? JSON.stringify(exit.value?.games.map(({ reason }) => reason))
          : String(exit)
      return yield* Effect.die(new Violation("7 goes on", `the night after all faults: ${why.slice(0, 1500)}`))
    }
    return after
  }).pipe(Effect.scoped, Effect.runPromise)

/** Runs histories of whole nights, and prints the first that fails. */
export const simulateNights = async (from: number, seeds: number, nights: number): Promise<void> => {
  const program = Effect.gen(function* () {
    const catalogue = yield* catalogueFolder({ [gameId]: deployments })
    const references = yield* readReferences(catalogue, [gameId], days)
    const began = performance.now()
    const cpu = process.cpuUsage()
    let commands = 0
    for (let seed = from; seed < from + seeds; seed++) {
      const done = yield* Effect.result(
        Effect.tryPromise({
          try: () => runHistory(seed, catalogue, references, nights),
          catch: (cause) => (cause instanceof Violation ? cause : new Violation("a night", String(cause)))
        })
      )
      if (done._tag === "Failure") {
        console.log(`seed ${seed} (nights): ${done.failure.message}`)
        process.exitCode = 1
        break
      }
      commands += done.success
    }
    const seconds = (performance.now() - began) / 1000
    const { system, user } = process.cpuUsage(cpu)
    console.log(
      `${commands} nights in ${seconds.toFixed(1)} s, ${(commands / ((system + user) / 1e6)).toFixed(1)} a CPU second`
    )
  })
  await Effect.runPromise(Effect.scoped(program))
}
