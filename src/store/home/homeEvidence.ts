import { basename, dirname, join } from "node:path"
import { Option, Schema } from "effect"
import { type Disk, lookAt } from "../../feed/disk/Disk.ts"
import { pathsBelow } from "./disk.ts"
import { Current } from "./Home.ts"
import { homeFolders } from "./homePaths.ts"
import { LockHolder } from "./lock/takeLock.ts"
import { Manifest, Part } from "./Manifest.ts"
import { runMillis } from "./newRunId.ts"

const decoded = <S extends Schema.Decoder<unknown>>(schema: S, text: string): S["Type"] | null =>
  Option.getOrNull(Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text))

const Report = Schema.Struct({ run: Schema.String, startedAt: Schema.String, games: Schema.Array(Schema.Unknown) })
const LedgerLine = Schema.Struct({ round: Schema.Int, startedAt: Schema.String })

/** Returns the run id in the last segment of a path below the home. */
const runIn = (path: string): string => basename(path).replace(/^(snapshot|part)=|\.json$/g, "")

/** Patterns of files that only a home has, each with a content check, to recognise a home without marker. */
const evidence: ReadonlyArray<readonly [pattern: string, isOurs: (text: string, path: string) => boolean]> = [
  [
    "current.json",
    (text) => {
      const current = decoded(Current, text)
      return current !== null && (Object.keys(current.games).length > 0 || current.history.length > 0)
    }
  ],
  ["lock", (text) => decoded(LockHolder, text) !== null],
  [
    "runs/*.json",
    (text, path) => {
      const run = runIn(path)
      return runMillis(run) !== null && decoded(Report, text)?.run === run
    }
  ],
  [
    "snapshots/game=*/snapshot=*/manifest.json",
    (text, path) => {
      const run = runIn(dirname(path))
      return runMillis(run) !== null && decoded(Manifest, text)?.snapshot === run
    }
  ],
  [
    "history/game=*/month=*/part=*/part.json",
    (text, path) => {
      const run = runIn(dirname(path))
      return runMillis(run) !== null && decoded(Part, text)?.part === run
    }
  ],
  [
    "raw/*/*/ledger.ndjson",
    (text, path) =>
      runMillis(runIn(dirname(path))) !== null &&
      text.split("\n").some((line) => line !== "" && decoded(LedgerLine, line) !== null)
  ]
]

/** Returns the paths below a folder that match a pattern: names, in which `*` stands for any text. */
const matching = async (disk: Disk, root: string, pattern: string): Promise<ReadonlyArray<string>> => {
  let paths: ReadonlyArray<string> = [""]
  for (const name of pattern.split("/")) {
    const [start = "", end] = name.split("*")
    const below = async (folder: string): Promise<ReadonlyArray<string>> => {
      if (end === undefined) return [join(folder, name)]
      const found = await disk.list(join(root, folder)).catch(() => [])
      return found.flatMap((one) =>
        one.name.startsWith(start) && one.name.endsWith(end) && !one.name.startsWith(".")
          ? [join(folder, one.name)]
          : []
      )
    }
    // oxlint-disable-next-line no-await-in-loop -- the folders of a level come from the level above it
    paths = (await Promise.all(paths.map(below))).flat()
  }
  return paths
}

const isEvidence = async (disk: Disk, root: string, [pattern, isOurs]: (typeof evidence)[number]): Promise<boolean> => {
  for (const path of await matching(disk, root, pattern)) {
    const file = join(root, path)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one is enough
      if (disk.look(file)?.kind === "file" && isOurs(await disk.readText(file), path)) return true
    } catch {
      // An unreadable file proves nothing; check the next one.
    }
  }
  return false
}

const isParquet = async (disk: Disk, path: string): Promise<boolean> => {
  const file = await disk.open(path, "r")
  try {
    return (await file.read(4, 0)).toString("latin1") === "PAR1"
  } finally {
    await file.close()
  }
}

const hasNoFile = async (disk: Disk, folder: string): Promise<boolean> =>
  (await pathsBelow(disk, folder)).every(({ kind }) => kind === "folder")

/** True if there are only empty folders of ours and perhaps exchange rates, left by a failed first night. */
const isUnused = async (disk: Disk, root: string, names: ReadonlyArray<string>): Promise<boolean> => {
  for (const name of names) {
    const path = join(root, name)
    const { kind } = lookAt(disk, path)
    const isOurs =
      name === "fx_rates.parquet" && kind === "file"
        ? isParquet(disk, path)
        : homeFolders.includes(name) && kind === "folder" && hasNoFile(disk, path)
    // oxlint-disable-next-line no-await-in-loop -- stops at the first foreign file
    if (!(await isOurs)) return false
  }
  return true
}

/** True if a folder with these names is a home whose marker is missing. */
export const isUnmarkedHome = async (disk: Disk, root: string, names: ReadonlyArray<string>): Promise<boolean> => {
  for (const one of evidence) {
    // oxlint-disable-next-line no-await-in-loop -- the cheapest first, and one is enough
    if (await isEvidence(disk, root, one)) return true
  }
  return isUnused(disk, root, names)
}
