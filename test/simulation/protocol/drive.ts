import { type Effect, Exit } from "effect"
import { type History, type Outcome, type RunStep, type Step, Violation } from "../history.ts"
import { randomOf } from "../machine/random.ts"
import { type Ended, runProcess } from "../machine/runProcess.ts"
import { type Host, here, maxOperations, type Process, World } from "../machine/World.ts"
import { feedHere } from "../small/feed.ts"

/** What a command says that it has done: publications, which have to stay. */
export interface Acknowledged {
  readonly run: string
  readonly published: ReadonlyArray<{ readonly gameId: string; readonly snapshot: string }>
  readonly verdicts: ReadonlyArray<string>
}

/** What commands have acknowledged so far, and what has happened to them. */
export interface Told {
  readonly published: Array<{
    readonly run: string
    readonly gameId: string
    readonly snapshot: string
    /** A night that had to read some of its games again has several runs, of which its report names the last. */
    readonly isNight: boolean
  }>
  /** How many commands of each kind of publication were started. */
  readonly started: Map<string, number>
  /** Highest number that the published state of a game had. */
  readonly numbers: Map<string, number>
  /** The number of each publication that was seen, by game and run. */
  readonly sequences: Map<string, number>
}

/** Where histories of a kind happen, and what has to be true there. */
export interface Place {
  readonly begin: (world: World, history: History) => void
  readonly commandOf: (world: World, process: Process, step: RunStep) => Effect.Effect<Acknowledged, unknown>
  /** Throws a {@link Violation}. Looks at the world without any process. */
  readonly check: (world: World, told: Told) => void
  /** Called when faults stop. */
  readonly calm: (world: World) => void
  readonly checkAtEnd?: (world: World) => void
  /** Commands that have to succeed once faults have stopped. */
  readonly last: (seed: number) => ReadonlyArray<string>
}

interface Running {
  readonly process: Process
  readonly step: RunStep
  readonly ended: Ended<Acknowledged>
}

export const startMillis = Date.UTC(2026, 10, 20)
const hosts: ReadonlyArray<Host> = ["one", "two", "three"].map((name) => ({ name, bootId: `boot of ${name}` }))

const gamesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<string> => [
  ...new Set(["a", ...steps.flatMap((step) => (step.does === "deploy" ? [step.game] : []))])
]

/** A world in which steps are done one after the other, or one while another runs. */
class Drive {
  readonly world: World
  readonly #place: Place
  readonly #told: Told = { published: [], started: new Map(), numbers: new Map(), sequences: new Map() }
  #running: Array<Running> = []

  constructor(world: World, place: Place) {
    this.world = world
    this.#place = place
  }

  /** Notes what commands have acknowledged that ended. */
  #note(): void {
    const over = this.#running.filter(({ ended, process }) => ended.exit !== null || process.state === "dead")
    if (over.length === 0) return
    this.#running = this.#running.filter((one) => !over.includes(one))
    for (const { ended, process, step } of over) {
      // Such a command has found nothing to do.
      if (ended.exit !== null && /NothingToReturnTo|NothingHeld/.test(String(ended.exit)))
        this.#told.started.set(step.command, (this.#told.started.get(step.command) ?? 0) - 1)
      if (ended.exit === null || !Exit.isSuccess(ended.exit)) continue
      const { published, run, verdicts } = ended.exit.value
      for (const one of published) this.#told.published.push({ ...one, run, isNight: step.command === "night" })
      this.world.log(`[${process.pid}] ${step.command} says ${verdicts.join("; ")}`)
    }
    this.#place.check(this.world, this.#told)
  }

  async #start(step: RunStep): Promise<Running> {
    const { world } = this
    const host = hosts[step.host % hosts.length] ?? { name: "one", bootId: "" }
    const process = world.start(host, step.clockAhead, step.fault)
    world.log(`[${process.pid}] ${step.command} ${step.games.join(" ")} begins on ${host.name}`)
    const kind = step.command === "night" || step.command === "part" ? "nightly" : step.command
    this.#told.started.set(kind, (this.#told.started.get(kind) ?? 0) + 1)
    const ended = await runProcess(world, process, this.#place.commandOf(world, process, step))
    const one = { process, step, ended }
    this.#running.push(one)
    this.#note()
    return one
  }

  async #goOn(until: () => boolean): Promise<void> {
    while (!until()) {
      if (this.#running.some(({ process }) => process.operations > maxOperations))
        throw new Violation("7 goes on", "a command does not end")
      if (!(await this.world.step())) return
      this.#note()
    }
  }

  /** Runs a command until it ends, or until the next step begins. */
  async run(step: RunStep): Promise<Running> {
    const { world } = this
    const end = world.now + (step.goesOnAfter ?? Number.POSITIVE_INFINITY)
    world.aloneUntil = end
    const one = await this.#start(step)
    await this.#goOn(() => world.now >= end || one.ended.exit !== null || one.process.state === "dead")
    world.aloneUntil = Number.POSITIVE_INFINITY
    return one
  }

  async wait(minutes: number): Promise<void> {
    const { world } = this
    const end = world.now + minutes * 60_000
    world.aloneUntil = end
    await this.#goOn(() => world.now >= end || this.#running.length === 0)
    world.aloneUntil = Number.POSITIVE_INFINITY
    world.now = Math.max(world.now, end)
  }

  async do(step: Step): Promise<void> {
    const { broken, games } = feedHere.feed
    if (step.does === "deploy")
      games.set(step.game, { deployment: (games.get(step.game)?.deployment ?? 0) + 1, isOdd: step.isOdd })
    if (step.does === "break") broken.add(step.game)
    if (step.does === "lose power") {
      for (const host of hosts) this.world.losePower(host)
      this.#note()
    }
    if (step.does === "wait") await this.wait(step.minutes)
    if (step.does === "run") await this.run(step)
  }

  /** Faults have stopped: whatever still runs ends, and the next night publishes every game. */
  async end(seed: number): Promise<void> {
    const { world } = this
    await this.#goOn(() => this.#running.length === 0)
    world.now += 10 * 60_000
    this.#place.calm(world)
    const { broken, games } = feedHere.feed
    broken.clear()
    for (const [game, { deployment }] of games) games.set(game, { deployment: deployment + 1, isOdd: false })
    for (const command of this.#place.last(seed)) {
      const { ended } = await this.run({
        does: "run",
        command,
        games: [],
        host: 0,
        clockAhead: 0,
        fault: null,
        goesOnAfter: null
      })
      if (ended.exit === null || !Exit.isSuccess(ended.exit))
        throw new Violation("7 goes on", `the ${command} after all faults fails: ${String(ended.exit).slice(0, 1500)}`)
      const bad = ended.exit.value.verdicts.filter((verdict) => !verdict.endsWith(" published"))
      if (bad.length > 0) throw new Violation("7 goes on", `the ${command} after all faults: ${bad.join("; ")}`)
    }
    this.#place.checkAtEnd?.(world)
  }
}

/** Runs the histories of a place. */
export const runIn =
  (place: Place) =>
  async (history: History, isTraced = false): Promise<Outcome> => {
    const world = new World(randomOf(history.seed, 1), startMillis, isTraced)
    here.world = world
    feedHere.feed = {
      games: new Map(gamesOf(history.steps).map((game) => [game, { deployment: 1, isOdd: false }])),
      broken: new Set()
    }
    place.begin(world, history)
    const drive = new Drive(world, place)
    let violation: Violation | null = null
    try {
      for (const step of history.steps) await drive.do(step)
      await drive.end(history.seed)
    } catch (cause) {
      if (!(cause instanceof Violation)) throw cause
      violation = cause
      world.log(cause.message)
    } finally {
      world.stop()
      here.world = null
    }
    return { violation, trace: world.trace ?? [], operations: world.operations }
  }
