import { hash } from "node:crypto"
import { join, relative } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { homePaths } from "../homePaths.ts"
import { makeDocument } from "./bucketDocuments.ts"
import { fileKey } from "./bucketKeys.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { FilesHere } from "./changesHere.ts"
import { MonthOfGame, type StoredFile, StoredFiles } from "./documents.ts"
import { fetchList, type OpenGame } from "./gameInBucket.ts"
import { storedParts } from "./hollowFiles.ts"
import type { NewObject } from "./log/objects.ts"
import { monthOfFolder } from "./placeOf.ts"
import { objectOfFile } from "./storeGame.ts"

/** Returns the files of a list, each with its writer. */
const withWriters = ({ attempt, files }: StoredFiles): Record<string, StoredFile> =>
  Object.fromEntries(Object.entries(files).map(([name, [sum, size, by = attempt]]) => [name, [sum, size, by]]))

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "")

/** Adds the lines of a backfill's ledger to those of the game. Of several lines about the same days, the last counts. */
const mergeLedger = Effect.fnUntraced(function* (
  store: BucketStore,
  { gameId, state }: OpenGame,
  attempt: string,
  { ledger, root }: { readonly ledger: string; readonly root: string }
) {
  const known = state.files.files[ledger]
  const own = yield* lakeStep(`Read ${ledger}`, (disk) => disk.readText(join(root, ledger)))
  const keyOf = (by: string, sha256: string) => fileKey(gameId, { path: ledger, name: ledger, attempt: by, sha256 })
  const parts = known === undefined ? null : storedParts(state.files, known)
  const before = parts === null ? "" : yield* store.fetchText(keyOf(parts.attempt, parts.sha256), parts.sha256)
  const there = linesOf(before)
  const text = Buffer.from(`${[...there, ...linesOf(own).filter((line) => !there.includes(line))].join("\n")}\n`)
  const sha256 = hash("sha256", text)
  const object: NewObject = { key: keyOf(attempt, sha256), from: text, sizeBytes: text.length }
  return { file: [sha256, text.length] satisfies StoredFile, object }
})

/** Returns the commit that adds a backfill's answers and ledger lines to a game; null if nothing is new. */
export const makeAnswers = Effect.fn("makeAnswers")(function* (
  store: BucketStore,
  opened: OpenGame,
  attempt: string,
  { here, root }: { readonly here: FilesHere; readonly root: string }
) {
  const { gameId, state } = opened
  const home = homePaths(root)
  const folder = relative(root, home.backfillAnswers(gameId))
  const ledger = relative(root, home.backfillLedger(gameId))
  const fresh = here.fresh.filter((file) => file.gameId === gameId && (file.folder === folder || file.name === ledger))
  if (fresh.length === 0) return null
  const answers = fresh.filter((file) => file.folder === folder)
  const merged = yield* mergeLedger(store, opened, attempt, { ledger, root })
  const month = monthOfFolder(folder)
  const { folders } = yield* opened.month(month)
  const there = folders[folder]
  const files = there !== undefined && "list" in there ? withWriters(yield* fetchList(store, gameId, there)) : {}
  for (const { name, sha256, sizeBytes } of answers) files[name] = [sha256, sizeBytes]
  const list = yield* makeDocument({ gameId, kind: "list", attempt, schema: StoredFiles, value: { attempt, files } })
  const sizeBytes = Object.values(files).reduce((sum, [, size]) => sum + size, 0)
  const listed = { list: list.ref, files: Object.keys(files).length, sizeBytes }
  const value: MonthOfGame = { folders: { ...folders, [folder]: listed } }
  const document = yield* makeDocument({ gameId, kind: "month", attempt, schema: MonthOfGame, value })
  return {
    draft: {
      ...state,
      months: { ...state.months, [month]: document.ref },
      files: { attempt, files: { ...withWriters(state.files), [ledger]: merged.file } }
    },
    objects: [
      ...answers.map((file) => objectOfFile(attempt, file)),
      merged.object,
      list.object,
      document.object
    ] satisfies ReadonlyArray<NewObject>
  }
})
