import { goodStore, Store, storeHere, type StoreFaults } from "../bucket/Store.ts"
import type { History, Step } from "../history.ts"
import type { Fault } from "../machine/World.ts"
import { randomOf } from "../machine/random.ts"
import { bucketCommand } from "./bucketCommands.ts"
import { checkBucket } from "./bucketOracles.ts"
import { runIn } from "./drive.ts"

const dayMinutes = 24 * 60
const faults: ReadonlyArray<Fault["kind"]> = ["kill", "kill after", "freeze", "freeze"]

/** The steps of a seed in a home in a bucket: two or three runners at a time are usual. */
export const generateBucket = (seed: number): History => {
  const random = randomOf(seed)
  const games = random.chance(0.3) ? ["a", "b"] : ["a"]
  const length = 3 + random.int(5)
  const steps: Array<Step> = []
  const commands = ["night", "night", "night", "part", "release", "rollback", "prune"]
  for (let at = 0; at < length; at++) {
    for (const game of games) if (random.chance(0.75)) steps.push({ does: "deploy", game, isOdd: random.chance(0.15) })
    const command = random.pick(commands)
    const fault: Fault = {
      kind: random.pick(faults),
      at: 1 + random.int(random.chance(0.5) ? 150 : 600),
      millis: random.chance(0.3) ? (8 + random.int(10)) * dayMinutes * 60_000 : random.int(600_000)
    }
    steps.push({
      does: "run",
      command,
      games: command === "night" && random.chance(0.7) ? [] : [random.pick(games)],
      host: random.int(3),
      clockAhead: random.chance(0.1) ? random.int(4_000_000) - 2_000_000 : 0,
      fault: random.chance(0.35) ? fault : null,
      goesOnAfter: random.chance(0.5) ? random.int(random.chance(0.5) ? 500 : 10_000) : null
    })
    const minutes = random.chance(0.4) ? dayMinutes * (1 + random.int(9)) : random.int(60)
    if (random.chance(0.6)) steps.push({ does: "wait", minutes })
  }
  return { seed, kind: "bucket", steps }
}

const faultsOf = (seed: number): StoreFaults => {
  const random = randomOf(seed, 2)
  const share = (chance: number, most: number) => (random.chance(chance) ? random.next() * most : 0)
  return {
    conflict: share(0.4, 0.2),
    lostAnswer: share(0.4, 0.1),
    failure: share(0.3, 0.1),
    lostWrite: share(0.1, 0.01),
    lagMillis: 0,
    clockAhead: random.chance(0.2) ? random.int(7_200_000) - 3_600_000 : 0
  }
}

/** Runs a history in a home in a bucket. */
export const runBucket = runIn({
  begin: (world, { seed }) => {
    storeHere.store = new Store(world, faultsOf(seed))
  },
  commandOf: bucketCommand,
  check: checkBucket,
  calm: () => {
    const { store } = storeHere
    if (store !== null) store.faults = { ...goodStore, clockAhead: store.faults.clockAhead }
  },
  last: (seed) => (seed % 3 === 0 ? ["night", "check"] : ["night"])
})
