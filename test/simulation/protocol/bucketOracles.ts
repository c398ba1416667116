import { hash } from "node:crypto"
import { listKey, keyOfFile, partOfFile } from "../../../src/store/home/bucket/bucketKeys.ts"
import {
  filesIn,
  type GameCommit,
  type LakeCommit,
  type Month,
  type Ref,
  type StoredFiles
} from "../../../src/store/home/bucket/documents.ts"
import { Violation } from "../history.ts"
import type { World } from "../machine/World.ts"
import type { Told } from "./drive.ts"
import { checkOnce, checkSequences, checkSteps } from "./folderOracles.ts"
import { retainedCommits, textAt } from "./retainedCommits.ts"

const document = <A>(gameId: string | null, kind: "list" | "month", ref: Ref): A => {
  const key = listKey(gameId, kind, ref)
  const text = textAt(key)
  if (text === null) throw new Violation("9 named", `${key} is named and missing`)
  if (hash("sha256", text) !== ref.sha256) throw new Violation("9 named", `${key} is not what its name says`)
  return JSON.parse(text) as A
}

const checkThere = (key: string): string => {
  const text = textAt(key)
  if (text === null) throw new Violation("9 named", `${key} is named and missing`)
  return text
}

/** Everything that a commit names is there, and has rows of one deployment for each snapshot. */
const checkFiles = (gameId: string | null, months: GameCommit["months"]): void => {
  for (const month of Object.values(months)) {
    const isOfCommit = "folders" in month
    const { folders } = isOfCommit ? month : document<Month>(gameId, "month", month)
    for (const [folder, found] of Object.entries(folders)) {
      const pages = "list" in found ? document<StoredFiles>(gameId, "list", found.list) : found
      const list = { ...pages, files: { ...pages.files, ...("own" in found ? found.own : {}) } }
      const deployments = new Set<string>()
      for (const file of filesIn({ gameId, folder }, list)) {
        const { name, sha256 } = file
        const { offset, sizeBytes } = partOfFile(file) ?? { offset: 0, sizeBytes: file.sizeBytes }
        const bytes = Buffer.from(checkThere(keyOfFile(file))).subarray(offset, offset + sizeBytes)
        if (hash("sha256", bytes) !== sha256)
          throw new Violation("9 named", `${folder}/${name} is not what its list says`)
        const text = bytes.toString("utf8")
        if (folder.startsWith("snapshots/") && name.endsWith(".parquet")) deployments.add(text)
      }
      if (deployments.size > 1)
        throw new Violation("2 one deployment", `${folder} has rows of ${[...deployments].join()}`)
    }
  }
}

/** The steps that are published. A commit of a game is the one that the lake names, and its last step is live. */
const checkPublished = (lake: LakeCommit, told: Told): ReadonlyArray<string> => {
  const steps: Array<string> = []
  const kinds: Array<{ readonly gameId: string; readonly kind: string }> = []
  for (const [gameId, { number, sum }] of Object.entries(lake.games)) {
    if (number < (told.numbers.get(gameId) ?? 0))
      throw new Violation("1 in order", `${gameId} shows commit ${number} after ${told.numbers.get(gameId)}`)
    told.numbers.set(gameId, number)
    const retained = retainedCommits<GameCommit>(`games/${gameId}`)
    const published = retained.find(({ commit }) => commit.number === number)
    if (published === undefined || hash("sha256", published.text) !== sum)
      throw new Violation("9 named", `the lake names commit ${number} of ${gameId}, which is not there`)
    for (const { commit } of retained) checkFiles(gameId, commit.months)
    const { live, steps: own } = published.commit
    steps.push(...own.map(([run, , snapshot]) => `${run} ${gameId} ${snapshot ?? run}`))
    kinds.push(...own.map(([, kind]) => ({ gameId, kind })))
    const last = own.at(-1)
    if ((last === undefined ? null : (last[2] ?? last[0])) !== live)
      throw new Violation("1 in order", `${gameId} shows ${live}, and its last step is ${last?.[2] ?? last?.[0]}`)
  }
  checkOnce(kinds, told)
  return steps
}

/** Looks at the store as it is now. */
export const checkBucket = (_world: World, told: Told): void => {
  const lakes = retainedCommits<LakeCommit>("lake")
  const [lake] = lakes
  if (lake === undefined) {
    if (told.published.length > 0) throw new Violation("4 durable", "the lake has no commit after a publication")
    return
  }
  for (const { commit } of lakes) checkFiles(null, commit.months)
  const steps = checkPublished(lake.commit, told)
  checkSteps(steps, told)
  const numbered = Object.entries(lake.commit.games).flatMap(([gameId, { sequences }]) =>
    Object.entries(sequences).map(([run, sequence]) => ({ gameId, run, sequence }))
  )
  checkSequences(numbered, told)
}
