import type { Fault } from "../machine/World.ts"
import type { History, Step } from "../history.ts"
import { randomOf } from "../machine/random.ts"
import { runIn } from "./drive.ts"
import { folderCommand, inSmallHome } from "./folderCommands.ts"
import { checkFolder, checkFolderAtEnd } from "./folderOracles.ts"

const faults: ReadonlyArray<Fault["kind"]> = ["kill", "kill after", "power loss", "freeze", "EIO", "ENOSPC"]

/** The steps of a seed in a home that is a folder. */
export const generateFolder = (seed: number): History => {
  const random = randomOf(seed)
  const games = random.chance(0.3) ? ["a", "b"] : ["a"]
  const length = 3 + random.int(7)
  const steps: Array<Step> = []
  for (let at = 0; at < length; at++) {
    for (const game of games) if (random.chance(0.75)) steps.push({ does: "deploy", game, isOdd: random.chance(0.2) })
    if (random.chance(0.05)) steps.push({ does: "break", game: random.pick(games) })
    const command = random.chance(0.6) ? "night" : random.pick(["release", "rollback", "prune", "prune", "check"])
    const fault: Fault = {
      kind: random.pick(faults),
      at: 1 + random.int(random.chance(0.5) ? 60 : 400),
      millis: random.int(240_000)
    }
    steps.push({
      does: "run",
      command,
      games: command === "night" && random.chance(0.7) ? [] : [random.pick(games)],
      host: random.int(2),
      clockAhead: random.chance(0.1) ? random.int(4_000_000) - 2_000_000 : 0,
      fault: random.chance(0.45) ? fault : null,
      goesOnAfter: random.chance(0.25) ? random.int(3000) : null
    })
    if (random.chance(0.1)) steps.push({ does: "lose power" })
    steps.push({ does: "wait", minutes: random.chance(0.3) ? 24 * 60 * random.int(12) : random.int(60) })
  }
  return { seed, kind: "folder", steps }
}

/** Runs a history in a home that is a folder. */
export const runFolder = runIn({
  begin: () => {},
  commandOf: (world, process, step) => inSmallHome(folderCommand(step), { world, process }),
  check: checkFolder,
  checkAtEnd: checkFolderAtEnd,
  calm: () => {},
  last: (seed) => (seed % 3 === 0 ? ["night", "check"] : ["night"])
})
