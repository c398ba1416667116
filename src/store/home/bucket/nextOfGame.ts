import { hash } from "node:crypto"
import { basename, join, relative } from "node:path"
import { Effect } from "effect"
import { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { foldersIn, isThere } from "../disk.ts"
import { type Current, wasPublished } from "../Home.ts"
import { homePaths } from "../homePaths.ts"
import type { BucketStore } from "./BucketStore.ts"
import { keyOfFile, type Place, reportsFolder } from "./bucketKeys.ts"
import { applyChanges, type Changes, type NewFile, objectOfFile } from "./changes.ts"
import type { GameCommit, NightPart, ReportRef } from "./documents.ts"
import type { OpenGame } from "./gameInBucket.ts"
import type { Draft } from "./log/commitLog.ts"
import type { CheckedOut } from "./placeholders.ts"

/** A command's folder: its changes, and what it publishes. */
export interface FolderHere {
  readonly root: string
  readonly changes: Changes
  readonly current: Current
}

/** Returns the changes of a game's files. Pages without a snapshot do not belong to the game. */
const changesOfGame = ({ opened: { gameId }, placed }: CheckedOut, { changes, root }: FolderHere): Changes => {
  const isOwn = ({ folder, gameId: of }: Place) => {
    if (of !== gameId) return false
    const run = /^raw\/[^/]+\/(.+)$/.exec(folder)?.[1]
    return run === undefined || placed.has(folder) || isThere(join(root, `snapshots/game=${gameId}/snapshot=${run}`))
  }
  return { written: changes.written.filter(isOwn), deleted: changes.deleted.filter(isOwn) }
}

/** Returns what a command's folder says of a game: its snapshots and its steps. */
const stateHere = Effect.fnUntraced(function* (
  { gameId, state }: OpenGame,
  { current, root }: FolderHere,
  emptied: ReadonlySet<string>
) {
  const steps = current.history
    .filter((step) => step.gameId === gameId)
    .map(({ at, kind, run, snapshot, why }): GameCommit["steps"][number] => [
      run,
      kind,
      snapshot === SnapshotId.make(run) ? null : snapshot,
      at,
      why
    ])
  const snapshots = `snapshots/game=${gameId}`
  const marked = (yield* foldersIn(join(root, snapshots), "snapshot="))
    .filter((id) => isThere(join(root, snapshots, `snapshot=${id}`, "held.json")))
    .map((id) => SnapshotId.make(id))
  const isHeld = (id: SnapshotId) => !wasPublished(current, gameId, id) && !emptied.has(`${snapshots}/snapshot=${id}`)
  const held = [...new Set([...state.held, ...marked])].filter(isHeld).toSorted()
  const { published = [], snapshot: live = null } = current.games[gameId] ?? {}
  return { live, published, held, steps }
})

/**
 * Returns the next commit of a game and the objects that it names, from the changes of a command. Null if nothing is
 * new.
 */
export const makeGame = Effect.fn("makeGame")(function* (
  game: CheckedOut,
  attempt: string,
  { lake, ...here }: FolderHere & { readonly lake: number }
) {
  const { gameId, state } = game.opened
  const changes = changesOfGame(game, here)
  const { emptied, objects, ...files } = yield* applyChanges(game.opened, attempt, changes)
  const next = yield* stateHere(game.opened, here, emptied)
  const partsOf = ({ held, live, published, steps }: Pick<GameCommit, keyof typeof next>) =>
    JSON.stringify([live, published, held, steps])
  const isSame = changes.written.length + changes.deleted.length === 0 && partsOf(next) === partsOf(state)
  return isSame ? null : { draft: { gameId, lake, ...next, ...files }, objects }
})

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "")

/** Adds the lines of a backfill's ledger to those of the game. Of several lines about the same days, the last counts. */
const mergeLedger = Effect.fnUntraced(function* (
  store: BucketStore,
  { find, gameId }: OpenGame,
  root: string,
  name: string
) {
  const place: Place = { gameId, folder: "", name }
  const own = yield* lakeStep(`Read ${name}`, (disk) => disk.readText(join(root, name)))
  const file = yield* find(place)
  const there = linesOf(file === null ? "" : yield* store.fetchText(keyOfFile(file), file.sha256))
  const from = Buffer.from(`${[...there, ...linesOf(own).filter((line) => !there.includes(line))].join("\n")}\n`)
  return { ...place, from, sha256: hash("sha256", from), sizeBytes: from.length } satisfies NewFile
})

/** Returns the commit that adds a backfill's answers and ledger lines to a game; null if nothing is new. */
export const makeAnswers = Effect.fn("makeAnswers")(function* (
  store: BucketStore,
  opened: OpenGame,
  attempt: string,
  { changes, root }: FolderHere
) {
  const { gameId, state } = opened
  const home = homePaths(root)
  const folder = relative(root, home.backfillAnswers(gameId))
  const ledger = relative(root, home.backfillLedger(gameId))
  const ofGame = changes.written.filter((file) => file.gameId === gameId)
  const answers = ofGame.filter((file) => file.folder === folder)
  if (answers.length === 0 && !ofGame.some(({ name }) => name === ledger)) return null
  const written = [...answers, yield* mergeLedger(store, opened, root, ledger)]
  const { files, months, objects } = yield* applyChanges(opened, attempt, { written, deleted: [] })
  return { draft: { ...state, months, files }, objects }
})

/** Adds what a command notes, and what the newest commit says beside its state. */
export const withNotes = (
  draft: Omit<Draft<GameCommit>, "lowest" | "report" | "part">,
  base: GameCommit | null,
  { part = base?.part, report }: { readonly report: ReportRef | null; readonly part?: NightPart | undefined }
): Draft<GameCommit> => ({
  ...draft,
  lowest: base?.lowest ?? 1,
  lake: Math.max(draft.lake, base?.lake ?? 0),
  report: report ?? base?.report ?? null,
  ...(part === undefined ? {} : { part })
})

/** Finds the report of the last run that a command did. Returns it as an object of a game; null if there is none. */
export const findReport = ({ written }: Changes) => {
  const [file] = written.filter(({ folder }) => folder === reportsFolder).toSorted((a, b) => (a.name < b.name ? 1 : -1))
  if (file === undefined) return null
  const { name, sha256, sizeBytes } = file
  return (gameId: string, attempt: string) => ({
    ref: { run: RunId.make(basename(name, ".json")), file: [sha256, sizeBytes, attempt] } satisfies ReportRef,
    object: objectOfFile(attempt, { ...file, gameId })
  })
}
