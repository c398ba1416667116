import { hash } from "node:crypto"
import { goodStore, Store, storeHere } from "../bucket/Store.ts"
import { type History, type Step, Violation } from "../history.ts"
import { randomOf } from "../machine/random.ts"
import type { Fault, World } from "../machine/World.ts"
import { runIn, type Told } from "./drive.ts"
import { retainedCommits, textAt } from "./retainedCommits.ts"
import { broken, dayMillis, type GameCommit, games, type LakeCommit, logCommand } from "./logCommands.ts"

/** The steps of a seed in which runners continue the logs of two games and of their lake. */
export const generateLog = (seed: number): History => {
  const random = randomOf(seed)
  const steps: Array<Step> = []
  const commands = ["night", "night", "night", "mark", "publish", "collect", "collect", "read"]
  const kinds: ReadonlyArray<Fault["kind"]> = ["kill", "kill after", "freeze", "freeze"]
  const length = 4 + random.int(10)
  for (let at = 0; at < length; at++) {
    const millis = random.chance(0.5) ? dayMillis * (6 + random.int(14)) : random.int(600_000)
    const fault: Fault = { kind: random.pick(kinds), at: 1 + random.int(40), millis }
    steps.push({
      does: "run",
      command: random.pick(commands),
      games: [random.chance(0.8) ? "a" : "b"],
      host: random.int(3),
      clockAhead: random.chance(0.1) ? random.int(4_000_000) - 2_000_000 : 0,
      fault: random.chance(0.4) ? fault : null,
      goesOnAfter: random.chance(0.6) ? random.int(random.chance(0.7) ? 400 : 10_000) : null
    })
    if (random.chance(0.5))
      steps.push({ does: "wait", minutes: random.chance(0.5) ? 24 * 60 * (1 + random.int(9)) : random.int(60) })
  }
  return { seed, kind: "log", steps }
}

/** The retained commits of a log, with every object that they name. */
const chainOf = <A extends GameCommit | LakeCommit>(room: string) => {
  const chain = retainedCommits<A>(room)
  for (const { commit } of chain)
    for (const key of commit.objects)
      if (textAt(key) === null)
        throw new Violation("9 named", `commit ${commit.number} of ${room} names ${key}, which is missing`)
  return chain
}

/** Looks at the store as it is now. */
const checkLog = (_: World, told: Told): void => {
  const [fault] = broken
  if (fault !== undefined) throw new Violation("8 finds nothing", fault)
  const chains = new Map(games.map((gameId) => [gameId, chainOf<GameCommit>(`games/${gameId}`)]))
  const lakes = chainOf<LakeCommit>("lake")
  for (const { commit: lake } of lakes)
    for (const [gameId, { number, sum }] of Object.entries(lake.games)) {
      const named = chains.get(gameId)?.find(({ commit }) => commit.number === number)
      if (named === undefined || hash("sha256", named.text) !== sum)
        throw new Violation("9 named", `lake commit ${lake.number} names ${gameId} ${number}, which is not there`)
    }
  for (const [gameId, { number }] of Object.entries(lakes[0]?.commit.games ?? {})) {
    if (number < (told.numbers.get(gameId) ?? 0))
      throw new Violation("1 in order", `${gameId} shows ${number} after ${told.numbers.get(gameId)}`)
    told.numbers.set(gameId, number)
  }
  for (const [gameId, [head]] of chains) {
    const steps = head?.commit.steps ?? []
    const twice = steps.find((step, at) => steps.indexOf(step) !== at)
    if (twice !== undefined) throw new Violation("3 once", `${twice} is in ${gameId} twice`)
  }
  for (const { gameId, run } of told.published) {
    const number = lakes[0]?.commit.games[gameId]?.number
    const shown = chains.get(gameId)?.find(({ commit }) => commit.number === number)
    if (shown?.commit.steps.includes(run) !== true)
      throw new Violation("4 durable", `the publication of ${gameId} by ${run} was acknowledged and is lost`)
  }
}

/** Runs a history of logs. */
export const runLog = runIn({
  begin: (world, { seed }) => {
    const random = randomOf(seed, 5)
    const share = (chance: number, most: number) => (random.chance(chance) ? random.next() * most : 0)
    broken.length = 0
    storeHere.store = new Store(world, {
      conflict: share(0.3, 0.2),
      lostAnswer: share(0.3, 0.1),
      failure: share(0.2, 0.1),
      lostWrite: share(0.2, 0.05),
      lagMillis: random.chance(0.2) ? random.int(3_600_000) : 0,
      clockAhead: random.chance(0.2) ? random.int(7_200_000) - 3_600_000 : 0
    })
  },
  commandOf: logCommand,
  check: checkLog,
  calm: () => {
    const { store: here } = storeHere
    if (here !== null) here.faults = { ...goodStore, clockAhead: here.faults.clockAhead }
  },
  last: () => ["night", "collect", "check"]
})
