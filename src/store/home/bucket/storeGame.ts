import { basename, join } from "node:path"
import { Effect } from "effect"
import { homeFormat } from "../HomeMarker.ts"
import { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { type Current, wasPublished } from "../Home.ts"
import { assureStored } from "./assureStored.ts"
import { storeDocument } from "./bucketDocuments.ts"
import { fileKey } from "./bucketKeys.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { FilesHere, FreshFile } from "./changesHere.ts"
import type { CheckedOut } from "./checkOut.ts"
import { GameState, MonthOfGame, type Ref, type StoredFile, StoredFiles } from "./documents.ts"
import { isListedFolder, monthOfFolder } from "./placeOf.ts"

/** A new state of a game, not yet visible. */
export interface StoredState {
  readonly ref: Ref
  readonly state: GameState
  /** The attempt's snapshots that wait for a person. */
  readonly held: ReadonlyArray<SnapshotId>
}

const uploadsAtOnce = 8

/** Stores files. Files that describe others come last. */
export const storeFiles = Effect.fnUntraced(function* (
  store: BucketStore,
  attempt: string,
  fresh: ReadonlyArray<FreshFile>,
  stored: ReadonlySet<string> = new Set()
) {
  const isRecord = ({ name }: FreshFile) => /(^|\/)(manifest|part|diff|extraction)\.json$/.test(name)
  for (const files of [fresh.filter((file) => !isRecord(file)), fresh.filter(isRecord)])
    yield* Effect.forEach(
      files,
      (file) => {
        const key = fileKey(file.gameId, { ...file, path: file.folder ?? file.name, attempt })
        return stored.has(key) ? Effect.void : store.create(key, { file: file.path }, file.sizeBytes)
      },
      { concurrency: uploadsAtOnce, discard: true }
    )
})

const withFile = (files: Record<string, StoredFile>, attempt: string, name: string, file: StoredFile): void => {
  files[name] = file[2] === attempt ? [file[0], file[1]] : file
}

/** Stores an attempt's results for a game, invisible until the game's document names them. Null if nothing is new. */
export const storeGame = Effect.fn("storeGame")(function* (
  store: BucketStore,
  attempt: string,
  game: CheckedOut,
  {
    current,
    here,
    stored
  }: { readonly current: Current; readonly here: FilesHere; readonly stored: ReadonlySet<string> }
) {
  const { gameId, month, state } = game.opened
  const kept = here.kept.filter((file) => file.gameId === gameId)
  const ofSnapshots = new Set([...here.kept, ...here.fresh].map(({ folder }) => folder))
  // Pages without a snapshot do not belong to the game.
  const isUnused = ({ folder }: FreshFile) => {
    const run = /^raw\/[^/]+\/(.+)$/.exec(folder ?? "")?.[1]
    return (
      run !== undefined &&
      !game.placed.has(folder ?? "") &&
      !ofSnapshots.has(`snapshots/game=${gameId}/snapshot=${run}`)
    )
  }
  const fresh = here.fresh.filter((file) => file.gameId === gameId && !isUnused(file))
  const now = new Map<string, Record<string, StoredFile>>()
  const inFolder = (folder: string) => {
    const known = now.get(folder)
    if (known !== undefined) return known
    const files: Record<string, StoredFile> = {}
    now.set(folder, files)
    return files
  }
  const changed = new Set<string>()
  for (const { file, folder, name } of kept) withFile(inFolder(folder ?? ""), attempt, name, file)
  for (const { folder, name, sha256, sizeBytes } of fresh) {
    withFile(inFolder(folder ?? ""), attempt, name, [sha256, sizeBytes, attempt])
    changed.add(folder ?? "")
  }
  for (const folder of game.placed) {
    const was = yield* game.opened.folder(folder)
    if (was === null || here.packed.has(folder)) continue
    const files = "list" in was ? was.files : Object.keys(was.files).length
    if (Object.keys(now.get(folder) ?? {}).length !== files) changed.add(folder)
  }
  const loose = now.get("") ?? {}
  if (Object.keys(loose).length !== Object.keys(state.files.files).length) changed.add("")

  const steps = current.history
    .filter((step) => step.gameId === gameId)
    .map(({ at, kind, run, snapshot, why }): GameState["steps"][number] => [
      run,
      kind,
      snapshot === SnapshotId.make(run) ? null : snapshot,
      at,
      why
    ])
  const live = current.games[gameId]?.snapshot ?? null
  const published = current.games[gameId]?.published ?? []
  const snapshots = [...now.keys()].filter((folder) => folder.startsWith("snapshots/"))
  const idOf = (folder: string) => SnapshotId.make(folder.slice(folder.lastIndexOf("=") + 1))
  const marked = snapshots.filter((folder) => "held.json" in (now.get(folder) ?? {})).map(idOf)
  const stays = (id: SnapshotId) => {
    const folder = `snapshots/game=${gameId}/snapshot=${id}`
    return !wasPublished(current, gameId, id) && (now.has(folder) || !game.placed.has(folder))
  }
  const held = [...new Set([...state.held, ...marked])].filter(stays).toSorted()
  const isSame =
    changed.size === 0 &&
    live === state.live &&
    JSON.stringify([published, held, steps]) === JSON.stringify([state.published, state.held, state.steps])
  if (isSame) return null

  yield* storeFiles(store, attempt, fresh, stored)
  const document = <S extends Parameters<typeof storeDocument>[1]["schema"]>(
    kind: string,
    schema: S,
    value: S["Type"]
  ) => storeDocument(store, { gameId, kind, attempt, schema, value })
  const months: Record<string, Ref> = { ...state.months }
  const byMonth = Map.groupBy(
    [...changed].filter((folder) => folder !== ""),
    monthOfFolder
  )
  for (const [name, folders] of byMonth) {
    const all: Record<string, MonthOfGame["folders"][string]> = { ...(yield* month(name)).folders }
    for (const folder of folders) {
      const files = now.get(folder)
      if (files === undefined) delete all[folder]
      else if (isListedFolder(folder)) {
        const sizeBytes = Object.values(files).reduce((sum, [, size]) => sum + size, 0)
        const list = yield* document("list", StoredFiles, { attempt, files })
        all[folder] = { list, files: Object.keys(files).length, sizeBytes }
      } else all[folder] = { attempt, files }
    }
    if (Object.keys(all).length === 0) delete months[name]
    else months[name] = yield* document("month", MonthOfGame, { folders: all })
  }
  const next: GameState = {
    format: homeFormat,
    gameId,
    number: game.number + 1,
    live,
    published,
    held,
    steps,
    months,
    files: changed.has("") ? { attempt, files: loose } : state.files
  }
  const ref = yield* document("state", GameState, next)
  yield* assureStored(store, attempt, { gameId, files: fresh })
  return { ref, state: next, held: held.filter((id) => !state.held.includes(id)) } satisfies StoredState
})

/** Returns the report of the last run of a checked-out home; null if there is none. */
export const freshReport = (here: FilesHere, root: string) => {
  const [report] = here.fresh
    .filter((file) => file.name.startsWith("runs/"))
    .toSorted((a, b) => (a.name < b.name ? 1 : -1))
  return report === undefined
    ? null
    : {
        run: RunId.make(basename(report.name, ".json")),
        file: join(root, report.name),
        sha256: report.sha256,
        sizeBytes: report.sizeBytes
      }
}
