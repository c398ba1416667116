import { basename, join } from "node:path"
import { Effect } from "effect"
import { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { type Current, wasPublished } from "../Home.ts"
import { makeDocument } from "./bucketDocuments.ts"
import { fileKey, reportKey } from "./bucketKeys.ts"
import type { FilesHere, FreshFile } from "./changesHere.ts"
import type { CheckedOut } from "./placeGame.ts"
import {
  type GameCommit,
  MonthOfGame,
  type NightPart,
  type Ref,
  type ReportRef,
  type StoredFile,
  StoredFiles
} from "./documents.ts"
import type { Draft } from "./log/commitLog.ts"
import type { NewObject } from "./log/objects.ts"
import { isListedFolder, monthOfFolder } from "./placeOf.ts"

/** Returns a file of this machine as an object of an attempt. */
export const objectOfFile = (attempt: string, file: FreshFile): NewObject => ({
  key: fileKey(file.gameId, { ...file, path: file.folder ?? file.name, attempt }),
  from: { file: file.path },
  sizeBytes: file.sizeBytes
})

type Folders = Map<string, Record<string, StoredFile>>

/** The files of a game here, by folder, and the folders that differ from the bucket's. */
interface GameHere {
  readonly now: Folders
  readonly changed: ReadonlySet<string>
  readonly fresh: ReadonlyArray<FreshFile>
}

/** Finds the files of a game that a command has changed. Pages without a snapshot do not belong to the game. */
const filesOfGame = Effect.fnUntraced(function* (game: CheckedOut, here: FilesHere, attempt: string) {
  const { gameId, state } = game.opened
  const ofSnapshots = new Set([...here.kept, ...here.fresh].map(({ folder }) => folder))
  const isUnused = ({ folder }: FreshFile) => {
    const run = /^raw\/[^/]+\/(.+)$/.exec(folder ?? "")?.[1]
    return (
      run !== undefined &&
      !game.placed.has(folder ?? "") &&
      !ofSnapshots.has(`snapshots/game=${gameId}/snapshot=${run}`)
    )
  }
  const fresh = here.fresh.filter((file) => file.gameId === gameId && !isUnused(file))
  const now: Folders = new Map()
  const put = (folder: string | null, name: string, file: StoredFile) => {
    const files = now.get(folder ?? "") ?? {}
    now.set(folder ?? "", files)
    files[name] = file[2] === attempt ? [file[0], file[1]] : file
  }
  const changed = new Set<string>()
  for (const { file, folder, gameId: of, name } of here.kept) if (of === gameId) put(folder, name, file)
  for (const { folder, name, sha256, sizeBytes } of fresh) {
    put(folder, name, [sha256, sizeBytes, attempt])
    changed.add(folder ?? "")
  }
  for (const folder of game.placed) {
    const was = yield* game.opened.folder(folder)
    if (was === null || here.packed.has(folder)) continue
    const files = "list" in was ? was.files : Object.keys(was.files).length
    if (Object.keys(now.get(folder) ?? {}).length !== files) changed.add(folder)
  }
  if (Object.keys(now.get("") ?? {}).length !== Object.keys(state.files.files).length) changed.add("")
  return { now, changed, fresh } satisfies GameHere
})

/** Returns what the checked-out home says of a game: its snapshots and its steps. */
const stateHere = (game: CheckedOut, current: Current, now: Folders) => {
  const { gameId, state } = game.opened
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
  const marked = [...now.keys()]
    .filter((folder) => folder.startsWith("snapshots/") && "held.json" in (now.get(folder) ?? {}))
    .map((folder) => SnapshotId.make(folder.slice(folder.lastIndexOf("=") + 1)))
  const stays = (id: SnapshotId) => {
    const folder = `snapshots/game=${gameId}/snapshot=${id}`
    return !wasPublished(current, gameId, id) && (now.has(folder) || !game.placed.has(folder))
  }
  const held = [...new Set([...state.held, ...marked])].filter(stays).toSorted()
  const { published = [], snapshot: live = null } = current.games[gameId] ?? {}
  return { live, published, held, steps }
}

/** Makes the months of the folders that a command has changed. */
const makeMonths = Effect.fnUntraced(function* (
  { opened: { gameId, month, state } }: CheckedOut,
  attempt: string,
  { changed, now }: GameHere
) {
  const months: Record<string, Ref> = { ...state.months }
  const objects: Array<NewObject> = []
  const make = Effect.fnUntraced(function* <S extends Parameters<typeof makeDocument>[0]["schema"]>(
    kind: string,
    schema: S,
    value: S["Type"]
  ) {
    const { object, ref } = yield* makeDocument({ gameId, kind, attempt, schema, value })
    objects.push(object)
    return ref
  })
  const folders = [...changed].filter((folder) => folder !== "")
  for (const [name, ofMonth] of Map.groupBy(folders, monthOfFolder)) {
    const all: Record<string, MonthOfGame["folders"][string]> = { ...(yield* month(name)).folders }
    for (const folder of ofMonth) {
      const files = now.get(folder)
      if (files === undefined) delete all[folder]
      else if (isListedFolder(folder)) {
        const sizeBytes = Object.values(files).reduce((sum, [, size]) => sum + size, 0)
        const list = yield* make("list", StoredFiles, { attempt, files })
        all[folder] = { list, files: Object.keys(files).length, sizeBytes }
      } else all[folder] = { attempt, files }
    }
    if (Object.keys(all).length === 0) delete months[name]
    else months[name] = yield* make("month", MonthOfGame, { folders: all })
  }
  return { months, objects }
})

/** The report of the run whose results are stored. */
export type FreshReport = NonNullable<ReturnType<typeof freshReport>>

/** Returns a report as an object of a game, with the reference for its commit. */
export const reportOfGame = (gameId: string, attempt: string, { file, run, sha256, sizeBytes }: FreshReport) => {
  const ref: ReportRef = { run, file: [sha256, sizeBytes, attempt] }
  return { ref, object: { key: reportKey(gameId, ref), from: { file }, sizeBytes } satisfies NewObject }
}

/**
 * Returns the next commit of a game and the objects that it names, from the files of a checked-out home. Null if nothing
 * is new.
 */
export const makeGame = Effect.fn("makeGame")(function* (
  game: CheckedOut,
  attempt: string,
  { current, here, lake }: { readonly current: Current; readonly here: FilesHere; readonly lake: number }
) {
  const { gameId, state } = game.opened
  const files = yield* filesOfGame(game, here, attempt)
  const next = stateHere(game, current, files.now)
  const partsOf = ({ held, live, published, steps }: Pick<GameCommit, keyof typeof next>) =>
    JSON.stringify([live, published, held, steps])
  if (files.changed.size === 0 && partsOf(next) === partsOf(state)) return null
  const { months, objects } = yield* makeMonths(game, attempt, files)
  const draft = {
    gameId,
    lake,
    ...next,
    months,
    files: files.changed.has("") ? { attempt, files: files.now.get("") ?? {} } : state.files
  }
  return { draft, objects: [...files.fresh.map((file) => objectOfFile(attempt, file)), ...objects] }
})

/** What a command adds to a commit of a game beside its state. */
export interface CommitNotes {
  readonly report: ReportRef | null
  readonly part?: NightPart | undefined
}

/** Adds what a command notes, and what the newest commit says beside its state. */
export const withNotes = (
  draft: Omit<Draft<GameCommit>, "lowest" | "report" | "part">,
  base: GameCommit | null,
  { part = base?.part, report }: CommitNotes
): Draft<GameCommit> => ({
  ...draft,
  lowest: base?.lowest ?? 1,
  lake: Math.max(draft.lake, base?.lake ?? 0),
  report: report ?? base?.report ?? null,
  ...(part === undefined ? {} : { part })
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
