import { hash } from "node:crypto"
import { dirname, join, relative } from "node:path"
import { Effect } from "effect"
import { homePaths } from "../homePaths.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { BucketStore } from "./BucketStore.ts"
import { assureStored } from "./assureStored.ts"
import { storeDocument } from "./bucketDocuments.ts"
import { fileKey } from "./bucketKeys.ts"
import type { FilesHere } from "./changesHere.ts"
import type { CheckedOut } from "./checkOut.ts"
import { GameState, MonthOfGame, type StoredFile, StoredFiles } from "./documents.ts"
import { fetchList } from "./gameInBucket.ts"
import { storedParts } from "./hollowFiles.ts"
import { monthOfFolder } from "./placeOf.ts"
import { type StoredState, storeFiles } from "./storeGame.ts"

/**
 * Adds a backfill's answers and ledger lines to a game's newest state. Concurrent changes by nights remain. Null if
 * nothing is new.
 */
export const storeAnswers = Effect.fn("storeAnswers")(function* (
  store: BucketStore,
  attempt: string,
  { number, opened }: CheckedOut,
  { here, root }: { readonly here: FilesHere; readonly root: string }
) {
  const { gameId, state } = opened
  const home = homePaths(root)
  const folder = relative(root, home.backfillAnswers(gameId))
  const ledger = relative(root, home.backfillLedger(gameId))
  const fresh = here.fresh.filter((file) => file.gameId === gameId && (file.folder === folder || file.name === ledger))
  if (fresh.length === 0) return null
  const answers = fresh.filter((file) => file.folder === folder)
  yield* storeFiles(store, attempt, answers)

  const known = state.files.files[ledger]
  const own = yield* lakeStep(`Read ${ledger}`, (disk) => disk.readText(join(root, ledger)))
  const path = dirname(ledger)
  const before =
    known === undefined
      ? ""
      : yield* store.fetchText(
          fileKey(gameId, { path: ledger, name: ledger, ...storedParts(state.files, known) }),
          known[0]
        )
  const lines = new Set(before.split("\n"))
  // Of several lines about the same days, the last one counts.
  const added = own.split("\n").filter((line) => line !== "" && !lines.has(line))
  const text = Buffer.from(`${[...before.split("\n").filter((line) => line !== ""), ...added].join("\n")}\n`)
  const sha256 = hash("sha256", text)
  const ledgerKey = fileKey(gameId, { path, name: ledger, attempt, sha256 })
  yield* store.create(ledgerKey, text, text.length)
  store.documents.set(ledgerKey, text)

  const month = monthOfFolder(folder)
  const { folders } = yield* opened.month(month)
  const there = folders[folder]
  const listed = there !== undefined && "list" in there ? yield* fetchList(store, gameId, there) : null
  const files: Record<string, StoredFile> = {}
  for (const [name, [sum, size, by = listed?.attempt ?? ""]] of Object.entries(listed?.files ?? {}))
    files[name] = [sum, size, by]
  for (const { name, sha256, sizeBytes } of answers) files[name] = [sha256, sizeBytes]
  const list = yield* storeDocument(store, {
    gameId,
    kind: "list",
    attempt,
    schema: StoredFiles,
    value: { attempt, files }
  })
  const sizeBytes = Object.values(files).reduce((sum, [, size]) => sum + size, 0)
  const value: MonthOfGame = {
    folders: { ...folders, [folder]: { list, files: Object.keys(files).length, sizeBytes } }
  }
  const ref = yield* storeDocument(store, { gameId, kind: "month", attempt, schema: MonthOfGame, value })
  const loose: Record<string, StoredFile> = {}
  for (const [name, [sum, size, by = state.files.attempt]] of Object.entries(state.files.files))
    loose[name] = [sum, size, by]
  loose[ledger] = [sha256, text.length]
  const next: GameState = {
    ...state,
    number: number + 1,
    months: { ...state.months, [month]: ref },
    files: { attempt, files: loose }
  }
  const stateRef = yield* storeDocument(store, { gameId, kind: "state", attempt, schema: GameState, value: next })
  yield* assureStored(store, attempt, { gameId, files: answers })
  return { ref: stateRef, state: next, held: [] } satisfies StoredState
})
