import { hash } from "node:crypto"
import { documentKey } from "../../../src/store/home/bucket/bucketKeys.ts"
import { keyOfKnown, storedParts } from "../../../src/store/home/bucket/hollowFiles.ts"
import type {
  GameDocument,
  GameState,
  LakeDocument,
  MonthOfGame,
  Ref,
  StoredFiles
} from "../../../src/store/home/bucket/documents.ts"
import { storeHere } from "../bucket/Store.ts"
import { Violation } from "../history.ts"
import type { World } from "../machine/World.ts"
import type { Told } from "./drive.ts"
import { checkOnce } from "./folderOracles.ts"

const textOf = (path: string): string | null =>
  storeHere.store?.objects.get(`home/${path}`)?.body.toString("utf8") ?? null

const document = <A>(gameId: string | null, kind: string, ref: Ref): A => {
  const key = documentKey(gameId, kind, ref)
  const text = textOf(key)
  if (text === null) throw new Violation("9 named", `${key} is named and missing`)
  if (hash("sha256", text) !== ref.sha256) throw new Violation("9 named", `${key} is not what its name says`)
  return JSON.parse(text) as A
}

/** Everything that a published state names is there, and has rows of one deployment for each snapshot. */
const checkState = (gameId: string, state: GameState): void => {
  for (const month of Object.values(state.months)) {
    const { folders } = document<MonthOfGame>(gameId, "month", month)
    for (const [folder, found] of Object.entries(folders)) {
      const { attempt, files } = "list" in found ? document<StoredFiles>(gameId, "list", found.list) : found
      const deployments = new Set<string>()
      for (const [name, file] of Object.entries(files)) {
        const key = keyOfKnown({ gameId, folder, name, ...storedParts({ attempt }, file) })
        const text = textOf(key)
        if (text === null) throw new Violation("9 named", `${key} is named and missing`)
        if (folder.startsWith("snapshots/") && name.endsWith(".parquet")) deployments.add(text)
      }
      if (deployments.size > 1)
        throw new Violation("2 one deployment", `${folder} has rows of ${[...deployments].join()}`)
    }
  }
}

/** Looks at the store as it is now. */
export const checkBucket = (_world: World, told: Told): void => {
  const text = textOf("lake.json")
  if (text === null) {
    if (told.published.length > 0) throw new Violation("4 durable", "lake.json is missing after a publication")
    return
  }
  const lake = JSON.parse(text) as LakeDocument
  const steps: Array<string> = []
  const kinds: Array<{ readonly gameId: string; readonly kind: string }> = []
  for (const [gameId, { number, state: ref }] of Object.entries(lake.games)) {
    if (number < (told.numbers.get(gameId) ?? 0))
      throw new Violation("1 in order", `${gameId} shows state ${number} after ${told.numbers.get(gameId)}`)
    told.numbers.set(gameId, number)
    const state = document<GameState>(gameId, "state", ref)
    const own = state.steps.map(([run, , snapshot]) => `${run} ${gameId} ${snapshot ?? run}`)
    steps.push(...own)
    kinds.push(...state.steps.map(([, kind]) => ({ gameId, kind })))
    const last = state.steps.at(-1)
    if ((last === undefined ? null : (last[2] ?? last[0])) !== state.live)
      throw new Violation("1 in order", `${gameId} shows ${state.live}, and its last step is ${last?.[2] ?? last?.[0]}`)
    checkState(gameId, state)
    const newest = textOf(`games/${gameId}/game.json`)
    if (newest !== null && (JSON.parse(newest) as GameDocument).number < number)
      throw new Violation("1 in order", `the document of ${gameId} is behind the lake`)
  }
  checkOnce(kinds, told)
  const twice = steps.find((step, at) => steps.indexOf(step) !== at)
  if (twice !== undefined) throw new Violation("3 once", `${twice} is published twice`)
  for (const { gameId, isNight, run, snapshot } of told.published)
    if (
      !steps.includes(`${run} ${gameId} ${snapshot}`) &&
      !steps.some((step) => isNight && step.endsWith(` ${gameId} ${snapshot}`))
    )
      throw new Violation(
        "4 durable",
        `the publication of ${gameId} ${snapshot} by ${run} was acknowledged and is lost`
      )
}
