import { Effect } from "effect"
import { dirname } from "node:path"
import { shellWord } from "../feed/contract/shellWord.ts"
import { fileSha256 } from "../store/home/disk.ts"
import type { Destination } from "./destination/Destination.ts"
import { isBucket } from "../store/home/bucket/homeAddress.ts"
import { isStaged, stagingFolder } from "./destination/folderDestination.ts"
import {
  compactingFile,
  damaged,
  type Drop,
  dropFile,
  type DropState,
  namesFile,
  partitionFolder,
  partName,
  readManifest,
  stateFile,
  straysFile,
  tableName,
  unfinished,
  Strays,
  writeDocument,
  type DropAt
} from "./drop/Drop.ts"
import { contractFiles } from "./drop/writeContracts.ts"
import { exportTables, type ExportTable } from "./drop/exportTables.ts"
import type { TableReader } from "./drop/readBack.ts"
import { foldersOfDay, isPlanned, sweepLeftovers, type SweepDay } from "./drop/sweepLeftovers.ts"
import { type Format, formats } from "./formats.ts"
import type { IcebergSettings } from "./formats/iceberg/IcebergSettings.ts"
import { readTables, readStates } from "./readDrop.ts"

/** The facts that decide which files belong to an export. */
export interface Belonging {
  readonly to: Destination
  readonly drop: Drop
  readonly keptAs: Format
  /** States by game; null = the state is missing. */
  readonly states: ReadonlyMap<string, DropState | null>
  /** Null for plain files. */
  readonly readTable: TableReader | null
  readonly stage: string
}

const partitionNames = [partName, "_manifest.json", "_SUCCESS"]

/** Returns the partition files in the states. A file whose rows are no longer in the home may still exist. */
const listPartitionFiles = (states: Belonging["states"], tables: ReadonlyArray<ExportTable>): ReadonlySet<string> => {
  const files = new Set<string>()
  for (const [gameId, state] of states) {
    for (const [dt, day] of Object.entries(state?.days ?? {})) {
      for (const table of tables) {
        if (day.tables[table.name] === undefined) continue
        for (const file of partitionNames) files.add(`${partitionFolder(table, gameId, dt)}/${file}`)
      }
    }
  }
  return files
}

const dayFolders = formats.flatMap(({ tables }) => tables?.dayFolder ?? [])
/** The folders of a game below a table in every format; the first is that of plain files. */
const gameFolders = [
  (gameId: string) => `game=${gameId}`,
  ...dayFolders.map((folderOf) => (gameId: string) => dirname(folderOf(gameId, "day")))
]

/** Returns folders of games and days in any table format, which other programs may have emptied. */
const listPlaces = (states: Belonging["states"], tables: ReadonlyArray<ExportTable>): ReadonlyArray<string> =>
  [...states].flatMap(([gameId, state]) =>
    Object.keys(state?.days ?? {}).flatMap((dt) =>
      tables.flatMap((table) => dayFolders.map((folderOf) => `${tableName(table)}/${folderOf(gameId, dt)}/`))
    )
  )

/** Returns folders that belong to another program, or that cannot be checked. */
const foldersLeft = (
  { keptAs, states }: Belonging,
  tables: ReadonlyArray<ExportTable>,
  paths: ReadonlyArray<string>
) => {
  const names = new Set(tables.map(({ name }) => name))
  const later = [...states.values()].flatMap((state) =>
    Object.values(state?.days ?? {}).flatMap((day) => Object.keys(day.tables).filter((name) => !names.has(name)))
  )
  const nested = paths.filter((path) => path.endsWith(`/${dropFile}`)).map((path) => path.slice(0, -dropFile.length))
  const prefix = keptAs.tables?.metadataPrefix
  const own = prefix === undefined ? [] : tables.map((table) => `${tableName(table)}/${prefix}`)
  return [...nested, ...later.map((name) => `${name}/`), ...own]
}

/** Folders of tables with an unfinished day or compaction, which runs or leaves work to the next one. */
const plannedFolders = (
  { keptAs, states }: Belonging,
  tables: ReadonlyArray<ExportTable>,
  isCompacting: boolean
): ReadonlySet<string> =>
  new Set(
    [...states].flatMap(([gameId, state]) => {
      const dayFolder = (table: ExportTable, dt: string) =>
        `${tableName(table)}/${keptAs.tables?.dayFolder(gameId, dt) ?? ""}`
      const ofDays = Object.entries(state?.days ?? {}).flatMap(([dt, day]) =>
        tables
          .filter(({ name }) => day.tables[name] === unfinished)
          .flatMap((table) => foldersOfDay(dayFolder(table, dt)))
      )
      return ofDays.concat(isCompacting ? tables.map((table) => dirname(dayFolder(table, "day"))) : [])
    })
  )

export const belowStray = (stray: string, path: string): boolean =>
  stray.endsWith("/") ? path.startsWith(stray) : path === stray

/** Finds files and folders that neither the states nor the tables reference, and the paths in them. */
export const findStrays = Effect.fnUntraced(function* (belonging: Belonging) {
  const { drop, keptAs, readTable, states, to } = belonging
  const tables = exportTables(drop.decimals)
  // A bucket without a prefix may contain unrelated files.
  const roots = /^s3:\/\/[^/]+$/.test(to.root) ? [...tables.map(tableName), "_state"] : [""]
  const paths = (yield* Effect.forEach(roots, (root) => to.list(root))).flat()
  const missing = [...states].flatMap(([gameId, state]) =>
    state === null ? gameFolders.map((folderOf) => `/${folderOf(gameId)}/`) : []
  )
  const known = new Set([
    dropFile,
    straysFile,
    compactingFile,
    // An export may be using it, so it is never a stray as a complete folder.
    `${stagingFolder}/`,
    ...[...states.keys()].map(stateFile),
    ...tables.flatMap((table) =>
      contractFiles.map((name) => `${readTable === null ? table.name : tableName(table)}/${name}`)
    ),
    ...(readTable === null ? listPartitionFiles(states, tables) : listPlaces(states, tables))
  ])
  const left = foldersLeft(belonging, tables, paths)
  const planned =
    readTable === null ? new Set<string>() : plannedFolders(belonging, tables, paths.includes(compactingFile))
  const isKnown = (path: string) =>
    known.has(path) ||
    /(^|\/)\./.test(path) ||
    keptAs.tables?.isShared?.(path) === true ||
    left.some((folder) => path.startsWith(folder)) ||
    missing.some((folder) => path.includes(folder)) ||
    isPlanned(planned, path) ||
    isStaged(path, paths)
  if (readTable !== null) {
    const unknown = paths.filter((path) => !isKnown(path))
    for (const table of tables) {
      const own = unknown.filter((path) => path.startsWith(`${tableName(table)}/`))
      if (own.length === 0) continue
      const named = readTable(table).pipe(
        Effect.flatMap((read) => read?.named(own) ?? Effect.succeed([])),
        // If the table is unreadable, its references are unknown, so its files are no strays.
        Effect.catchTag("TableUnfit", () => Effect.succeed(own))
      )
      for (const path of yield* named) known.add(path)
    }
  }
  const strays = straysAmong(paths, known, isKnown)
  return { strays, below: paths.filter((path) => !isKnown(path)) }
})

/** Returns stray files that form a complete Cardlake partition: its manifest has their place and hash. */
export const provenFiles = Effect.fnUntraced(function* (
  { readTable, stage, to }: Belonging,
  paths: ReadonlyArray<string>
) {
  const proven: Array<string> = []
  if (readTable !== null) return proven
  const there = new Set(paths)
  for (const path of paths.filter((one) => one.endsWith("/_manifest.json"))) {
    const folder = path.slice(0, path.lastIndexOf("/"))
    const manifest = yield* readManifest(to, folder)
    if (manifest === null || manifest === damaged || !namesFile(manifest, folder)) continue
    const file = yield* to.fetch(`${folder}/${partName}`, stage)
    if (file !== null && (yield* fileSha256(file)) !== manifest.sha256) continue
    // The manifest is removed last, so that an interrupted removal can continue.
    const whole = ["_SUCCESS", partName, "_manifest.json"].map((name) => `${folder}/${name}`)
    proven.push(...whole.filter((one) => there.has(one)))
  }
  return proven
})

/**
 * Returns the command that removes a stray file, or a folder, whose path ends with a slash. Files are named by their
 * content, so a later export of the same content would use the file.
 */
export const adviseRemoval = ({ root }: Destination, path: string): string => {
  const address = shellWord(`${root}/${path}`)
  const isFolder = path.endsWith("/")
  const command = isBucket(root) ? `aws s3 rm${isFolder ? " --recursive" : ""}` : `rm${isFolder ? " -r" : ""}`
  return `Delete it before the next export or --compact, which may use it, with: ${command} ${address}`
}

/** Returns the folders of a path, outermost first: `a/b/c.txt` is in `a/` and `a/b/`; `a/b/` is a folder itself. */
const listFolders = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

/**
 * Returns unknown paths; for a completely unknown folder, only the folder, with a trailing slash. The folders of
 * `known` count as known, even if the file itself is missing.
 */
export const straysAmong = (
  paths: ReadonlyArray<string>,
  known: Iterable<string>,
  isKnown: (path: string) => boolean
): ReadonlyArray<string> => {
  const needed = new Set([...known].flatMap(listFolders))
  const unknown: Array<string> = []
  for (const path of paths) {
    if (!isKnown(path)) unknown.push(path)
    else for (const folder of listFolders(path)) needed.add(folder)
  }
  const strays = unknown
    .filter((path) => !needed.has(path))
    .map((path) => listFolders(path).find((folder) => !needed.has(folder)) ?? path)
  return [...new Set(strays)].sort()
}

export interface StrayLeft {
  readonly path: string
  readonly reason: string
}

/**
 * Handles the strays that `--verify` recorded. After an export of everything, it removes Cardlake's partitions that
 * neither the state nor this export knows; it reports all others.
 */
export const sweepStrays = Effect.fnUntraced(function* (at: DropAt, keptAs: Format, isEverything: boolean) {
  const { drop, stage, to } = at
  if ((yield* to.read(straysFile)) === null) return []
  const readTable = yield* readTables(at, keptAs)
  const belonging = { to, drop, keptAs, states: yield* readStates(to, drop), readTable, stage }
  const found = yield* findStrays(belonging)
  const proven = yield* provenFiles(belonging, found.below)
  if (isEverything) yield* Effect.forEach(proven, to.remove, { discard: true })
  const { below, strays } = isEverything && proven.length > 0 ? yield* findStrays(belonging) : found
  if (strays.length === 0) yield* to.remove(straysFile)
  else yield* writeDocument(to, straysFile, Strays, { strays })
  const ours = new Set(proven)
  // A later export of everything removes those of Cardlake.
  const foreign = strays.filter((stray) => !below.every((path) => !belowStray(stray, path) || ours.has(path)))
  return foreign.map((path): StrayLeft => ({
    path,
    reason: `${path} does not belong to the export. ${adviseRemoval(to, path)}`
  }))
})

/** Returns the function that removes a killed export's files of a day; plain files have fixed names and none remain. */
export const daySweeper = Effect.fnUntraced(function* (at: DropAt, keptAs: Format) {
  const services = yield* Effect.context<IcebergSettings>()
  const sweep: SweepDay = (table, gameId, dt) =>
    Effect.gen(function* () {
      const readTable = yield* readTables(at, keptAs)
      if (readTable === null || keptAs.tables === null) return
      const folders = foldersOfDay(`${tableName(table)}/${keptAs.tables.dayFolder(gameId, dt)}`)
      yield* sweepLeftovers(at, { folders, readTable, table })
    }).pipe(Effect.scoped, Effect.provideContext(services))
  return sweep
})
