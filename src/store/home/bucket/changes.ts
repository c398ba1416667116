import { relative, basename, join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { fileSha256, pathsBelow, foldersIn, isThere } from "../disk.ts"
import {
  filesIn,
  listFiles,
  makeList,
  type Month,
  type Ref,
  type StoredFiles,
  type GameCommit,
  type StoredReport
} from "./documents.ts"
import {
  type HomeFile,
  isListedFolder,
  isMonthOfRuns,
  keyOfFile,
  partOfFile,
  monthOfPlace,
  type Place,
  parsePlace,
  reportsFolder,
  isPack,
  kindOf,
  packBytes
} from "./bucketKeys.ts"
import type { Room, OpenGame } from "./gameInBucket.ts"
import { folderPlaceholder, lookOf, type Placeholders, type CheckedOut } from "./placeholders.ts"
import { hash } from "node:crypto"
import { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { type Current, wasPublished } from "../Home.ts"
import { homePaths } from "../homePaths.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { NewObject } from "./log/objects.ts"

// Small files of a folder share objects, packs, so that a night writes few objects. A list has the position of each. A file keeps its own checksum, so damage is found in the file that has it.

/** The maximum size of a file in a pack. */
const maxFileBytes = 1024 * 1024

export interface NewFile extends Omit<HomeFile, "attempt" | "position"> {
  readonly from: { readonly file: string } | Buffer
  /** The attempt that has stored the same content under the same name; absent: none has. */
  readonly storedBy?: string | undefined
}

/** True for a document with the checksums of its folder's other files, by which a repair rebuilds them. */
export const describesFolder = (name: string): boolean => name === "manifest.json" || name === "extraction.json"

/**
 * True if a file has an object of its own. Fronts name Parquet files by the addresses of their objects, and only a copy
 * can replace files of months, object by object.
 */
const isAlone = (file: NewFile): boolean =>
  file.gameId === null ||
  file.name.endsWith(".parquet") ||
  describesFolder(file.name) ||
  kindOf(file) === "months" ||
  file.sizeBytes > maxFileBytes

/** Returns the objects of new files under an attempt, and the files as a list will name them. */
export const packFiles = (attempt: string, written: ReadonlyArray<NewFile>) => {
  const stored = new Map<NewFile, HomeFile>()
  /** The last file in the packs of each kind. */
  const last = new Map<string, { readonly folder: string; readonly end: number }>()
  for (const file of [...Map.groupBy(written, ({ folder }) => folder).values()].flat()) {
    const { folder, gameId, name, sha256, sizeBytes } = file
    const one: HomeFile = { gameId, folder, name, sha256, sizeBytes, attempt: file.storedBy ?? attempt }
    const before = last.get(kindOf(file)) ?? { folder, end: 0 }
    const free = packBytes - (before.end % packBytes)
    const position = folder !== before.folder || sizeBytes > free ? before.end + free : before.end
    if (!isAlone(file)) last.set(kindOf(file), { folder, end: position + sizeBytes })
    stored.set(file, isAlone(file) ? one : { ...one, position })
  }
  const created = [...stored].filter(([{ storedBy }]) => storedBy === undefined)
  const objects = Array.from(
    Map.groupBy(created, ([, one]) => keyOfFile(one)),
    ([key, files]): NewObject => {
      const parts = isPack(key) ? files : files.slice(0, 1)
      const sizeBytes = parts.reduce((sum, [file]) => sum + file.sizeBytes, 0)
      return { key, from: parts.map(([{ from }]) => from), sizeBytes }
    }
  )
  return { objects, stored }
}

/** The difference between a command's folder and the commits that it was checked out from. */
export interface Changes {
  readonly written: ReadonlyArray<NewFile>
  readonly deleted: ReadonlyArray<Place>
}

export const textFile = (place: Place, text: string): NewFile => {
  const from = Buffer.from(text)
  return { ...place, from, sha256: hash("sha256", from), sizeBytes: from.length }
}

/** Finds the changes of a command in a checked-out home. Files that look unchanged are not read. */
export const findChanges = Effect.fn("findChanges")(function* ({ known, root }: Pick<Placeholders, "known" | "root">) {
  const paths = yield* lakeStep(`List ${root}`, (disk) => pathsBelow(disk, root))
  const files = paths.flatMap(({ kind, path }) => {
    const place = kind === "file" ? parsePlace(relative(root, path)) : null
    return place === null ? [] : [{ path, place }]
  })
  // Of tables that did not change since the last night, the new snapshot names the same objects.
  const nameOf = (file: Pick<HomeFile, "gameId" | "folder" | "name" | "sha256">) => keyOfFile({ ...file, attempt: "" })
  const stored = new Map(
    [...known.values()].flatMap((file) =>
      file.gameId !== null && file.isDamaged !== true && file.name.endsWith(".parquet")
        ? [[nameOf(file), file.attempt] as const]
        : []
    )
  )
  const read = yield* Effect.forEach(
    files.filter(({ path }) => !known.has(path) || lookOf(path) !== known.get(path)?.look),
    ({ path, place }) =>
      Effect.map(fileSha256(path), (sha256) => {
        const [, size = "0"] = lookOf(path)?.split(" ") ?? []
        const file = { ...place, sha256, sizeBytes: Number(size), from: { file: path } }
        return { path, file: { ...file, storedBy: stored.get(nameOf(file)) } }
      }),
    { concurrency: 4 }
  )
  const isSame = (path: string, sha256: string) => {
    const file = known.get(path)
    return file?.sha256 === sha256 && file.isDamaged !== true
  }
  const there = new Set(files.map(({ path }) => path))
  return {
    written: read.flatMap(({ file, path }) => (isSame(path, file.sha256) ? [] : [file])),
    deleted: Array.from(known).flatMap(([path, file]) => (there.has(path) ? [] : [file]))
  } satisfies Changes
})

const none: StoredFiles = { attempt: "", files: {} }

/**
 * Applies changes to the files that a commit names. Returns the lists of the next commit, the objects to store, and the
 * folders that have no files any more.
 */
export const applyChanges = Effect.fn("applyChanges")(function* (
  room: Room,
  attempt: string,
  { deleted, written }: Changes
) {
  const { gameId, list, month } = room
  const { objects, stored } = packFiles(attempt, written)
  const make = Effect.fnUntraced(function* (...of: Parameters<typeof makeList>) {
    const { object, ref } = yield* makeList(...of)
    objects.push(object)
    return ref
  })
  const listFolder = Effect.fnUntraced(function* ({ files }: StoredFiles) {
    const [own, listed] = [true, false].map((isOwn) =>
      Object.entries(files).filter(([name]) => describesFolder(name) === isOwn)
    )
    const ref = yield* make({ attempt, gameId }, "list", { attempt, files: Object.fromEntries(listed ?? []) })
    const sizeBytes = (listed ?? []).reduce((sum, [, [, size]]) => sum + size, 0)
    return { list: ref, files: listed?.length ?? 0, sizeBytes, own: Object.fromEntries(own ?? []) }
  })
  const change = (folder: string, before: StoredFiles, changes: ReadonlyArray<Place | NewFile>): StoredFiles => {
    const files = new Map(filesIn({ gameId, folder }, before).map((file) => [file.name, file]))
    for (const one of changes) {
      const file = "from" in one ? stored.get(one) : undefined
      if (file === undefined) files.delete(one.name)
      else files.set(one.name, file)
    }
    return listFiles(attempt, files.values())
  }
  const months: Record<string, Ref | Month> = { ...room.months }
  const emptied = new Set<string>()
  const ofRuns = [...deleted, ...written].filter(({ folder }) => folder !== "")
  for (const [name, ofMonth] of Map.groupBy<string, Place | NewFile>(ofRuns, monthOfPlace)) {
    const folders: Record<string, Month["folders"][string]> = { ...(yield* month(name)).folders }
    for (const [folder, changes] of Map.groupBy(ofMonth, (one) => one.folder)) {
      const was = folders[folder]
      const isReplaced = was === undefined || changes.some((one) => one.name === folderPlaceholder)
      const now = change(folder, isReplaced ? none : yield* list(was), changes)
      if (Object.keys(now.files).length === 0) {
        delete folders[folder]
        emptied.add(folder)
      } else if (isListedFolder(folder)) {
        folders[folder] = yield* listFolder(now)
      } else folders[folder] = now
    }
    if (Object.keys(folders).length === 0) delete months[name]
    else months[name] = { folders }
  }
  const newest = Object.keys(months).toSorted().findLast(isMonthOfRuns)
  for (const [name, ofMonth] of Object.entries(months))
    if ("folders" in ofMonth && name !== newest) months[name] = yield* make({ attempt, gameId }, "month", ofMonth)
  const others = [...deleted, ...written].filter(({ folder }) => folder === "")
  const files = others.length === 0 ? room.files : change("", room.files, others)
  return { months, files, objects, emptied }
})

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
    .map(({ at, backfill = null, deploymentId, kind, run, snapshot, why }): GameCommit["steps"][number] => [
      run,
      kind,
      snapshot === SnapshotId.make(run) ? null : snapshot,
      deploymentId,
      at,
      why,
      backfill
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

/** Returns a game's next state and the objects that it names, from the changes of a command. Null if nothing is new. */
export const makeGame = Effect.fn("makeGame")(function* (game: CheckedOut, attempt: string, here: FolderHere) {
  const changes = changesOfGame(game, here)
  const { emptied, objects, ...files } = yield* applyChanges(game.opened, attempt, changes)
  const next = yield* stateHere(game.opened, here, emptied)
  const partsOf = ({ held, live, published, steps }: Pick<GameCommit, keyof typeof next>) =>
    JSON.stringify([live, published, held, steps])
  const isSame = changes.written.length + changes.deleted.length === 0 && partsOf(next) === partsOf(game.opened.state)
  return isSame ? null : { state: { ...next, ...files }, objects }
})

const splitLines = (text: string) => text.split("\n").filter((line) => line !== "")

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
  const there = splitLines(file === null ? "" : yield* store.fetchText(keyOfFile(file), file.sha256, partOfFile(file)))
  return textFile(place, `${[...there, ...splitLines(own).filter((line) => !there.includes(line))].join("\n")}\n`)
})

/** Returns the state that adds a backfill's answers and ledger lines to a game; null if nothing is new. */
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
  return { state: { ...state, months, files }, objects }
})

/** Reads the report of the last run that a command did; null if there is none. */
export const readReport = Effect.fnUntraced(function* (root: string, { written }: Changes) {
  const names = written.flatMap(({ folder, name }) => (folder === reportsFolder ? [name] : []))
  const name = names.toSorted().at(-1)
  if (name === undefined) return null
  const text = yield* lakeStep(`Read ${name}`, (disk) => disk.readText(join(root, reportsFolder, name)))
  return { run: RunId.make(basename(name, ".json")), text } satisfies StoredReport
})
