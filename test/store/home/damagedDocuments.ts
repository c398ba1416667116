import { hash } from "node:crypto"
import type { ConditionalStore } from "./conditionalStore.ts"

/** A document whose loss is tried. */
export interface Document {
  readonly of: string
  /** Its row in the table of damage on the page of invariants. */
  readonly row: string
  /** The document, of which the last one counts. */
  readonly pattern: RegExp
  /** The unreadable part: the published state, the newest run of all games, or that of this game alone. */
  readonly stops: ReadonlyArray<"published" | "newest" | "game">
  /** What is read after a repair; null: the repair leaves it. */
  readonly repaired: "all" | "the night before" | null
}

export const gameCommit: Document = {
  of: "the newest commit of a game",
  row: "the newest commit of a game",
  pattern: /\/cedar\/commits\//,
  stops: ["published", "game"],
  repaired: "the night before"
}
export const oldCommit: Document = {
  of: "an older commit of a game",
  row: "a commit below the newest one",
  pattern: /\/cedar\/commits\/0000000001/,
  stops: [],
  repaired: "all"
}
export const oldLake: Document = {
  of: "an older commit of the lake",
  row: "a commit below the newest one",
  pattern: /\/lake\/commits\/0000000002/,
  stops: [],
  repaired: "all"
}
export const runsList: Document = {
  of: "a list of runs",
  row: "a list of runs",
  pattern: /\/lake\/objects\/.*\.runs\.json$/,
  stops: ["published", "newest"],
  repaired: "all"
}
export const month: Document = {
  of: "a month of a game",
  row: "a list of folders of a game",
  pattern: /\/cedar\/.*\.month\.json$/,
  stops: ["published", "game"],
  repaired: null
}
const listOfPages: Document = {
  of: "a list of pages",
  row: "a list of pages",
  pattern: /\/cedar\/.*\.list\.json$/,
  stops: [],
  repaired: null
}
export const commits = [gameCommit, oldCommit, oldLake]
export const lists = [runsList, month, listOfPages]

/** The rows that `lostDocuments.test.ts`, `bucketRepair.test.ts` and `bucketStore.test.ts` test one by one. */
export const testedAlone = [
  "the newest commit of the lake",
  "all commits of a game",
  "all commits of the lake",
  "a file that a commit names, alone or in a pack",
  "a pack that a commit names",
  "an object that nothing names"
]

/** Puts the lists of the newest month into documents, as if the home were in its second month. */
export const inSecondMonth = ({ objects }: ConditionalStore) => {
  const sums = new Map<string, string>()
  const commits = [...objects].filter(([key]) => /\/commits\/\d{10}\.json$/.test(key))
  for (const [key, stored] of commits.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const commit = JSON.parse(String(stored.body)) as { attempt: string; months: Record<string, object> }
    const kind = key.includes("/games/") ? "month" : "runs"
    for (const [month, list] of Object.entries(commit.months)) {
      const body = Buffer.from(`${JSON.stringify(list)}\n`)
      const ref = { attempt: commit.attempt, sha256: hash("sha256", body) }
      commit.months[month] = ref
      objects.set(key.replace(/commits\/.*/, `objects/${ref.attempt}/${ref.sha256}.${kind}.json`), { ...stored, body })
    }
    let text = `${JSON.stringify(commit)}\n`
    for (const [was, is] of sums) text = text.replaceAll(was, is)
    sums.set(hash("sha256", stored.body), hash("sha256", text))
    objects.set(key, { ...stored, body: Buffer.from(text) })
  }
}
