import { Cause, Clock, Context, Effect, Exit, Logger, Random, References, type Scheduler } from "effect"
import { Disk, Processes } from "../../../src/feed/disk/Disk.ts"
import { randomOf } from "./random.ts"
import { simulatedDisk, simulatedProcesses } from "./simulatedDisk.ts"
import { type Process, settled, type World } from "./World.ts"

/** Runs the tasks of a process as microtasks, and none of a dead one. */
const schedulerOf = (process: Process): Scheduler.Scheduler => ({
  executionMode: "async",
  shouldYield: () => false,
  makeDispatcher: () => ({
    scheduleTask: (task) =>
      queueMicrotask(() => {
        if (process.state !== "dead") task()
      }),
    flush: () => {}
  })
})

const clockOf = (world: World, process: Process): Clock.Clock => {
  const millis = () => Math.floor(world.now + process.clockAhead)
  const nanos = () => BigInt(Math.floor(world.now * 1e6))
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        let isOver = false
        world.after(Number(duration.valueOf === undefined ? 0 : millisOf(duration)), process, () => {
          if (!isOver) resume(Effect.void)
        })
        return Effect.sync(() => {
          isOver = true
        })
      })
  } as Clock.Clock
}

const millisOf = (duration: unknown): number => {
  const value = (
    duration as { readonly value: { readonly _tag: string; readonly millis?: number; readonly nanos?: bigint } }
  ).value
  if (value._tag === "Millis") return value.millis ?? 0
  return value._tag === "Nanos" ? Number(value.nanos) / 1e6 : Number.POSITIVE_INFINITY
}

const randomService = (seed: number) => {
  const random = randomOf(seed, 7)
  return { nextDoubleUnsafe: random.next, nextIntUnsafe: () => Math.floor((random.next() - 0.5) * 2 ** 53) }
}

/** How a command ended; `null`: it has not, or was killed. */
export interface Ended<A> {
  exit: Exit.Exit<A, unknown> | null
}

/** Starts an effect as the code of a process, up to its first operation. */
export const runProcess = async <A, E>(
  world: World,
  process: Process,
  effect: Effect.Effect<A, E>
): Promise<Ended<A>> => {
  const ended: Ended<A> = { exit: null }
  const logger = Logger.make(({ message }) => world.log(`[${process.pid}] says ${String(message)}`))
  const context = Context.empty().pipe(
    Context.add(Clock.Clock, clockOf(world, process)),
    Context.add(Random.Random, randomService(process.pid * 31 + world.random.int(2 ** 30))),
    Context.add(Disk, simulatedDisk(world, process)),
    Context.add(Processes, simulatedProcesses(world, process)),
    Context.add(References.TracerEnabled, false),
    Context.add(Logger.CurrentLoggers, new Set([logger]))
  ) as Context.Context<never>
  world.current = process
  const fiber = Effect.runForkWith(context)(effect, { scheduler: schedulerOf(process) })
  fiber.addObserver((exit) => {
    ended.exit = exit
    if (process.state !== "dead") process.state = "dead"
    world.log(`[${process.pid}] ended: ${Exit.isSuccess(exit) ? "well" : Cause.pretty(exit.cause).slice(0, 600)}`)
  })
  await settled()
  world.current = null
  return ended
}
