import { join } from "node:path"
import { Option, Schema } from "effect"
import { type Disk, lookAt } from "../../feed/disk/Disk.ts"
import { pathsBelow } from "./disk.ts"
import { Current } from "./Home.ts"
import { homeFolders } from "./homePaths.ts"
import { LockHolder } from "./lock/takeLock.ts"
import { Manifest, Part } from "./Manifest.ts"
import { runMillis } from "./newRunId.ts"

const Report = Schema.Struct({ run: Schema.String, startedAt: Schema.String, games: Schema.Array(Schema.Unknown) })
const LedgerLine = Schema.Struct({ round: Schema.Int, startedAt: Schema.String })

/** Describes files that only a home has. `isOurs` gets a decoded document or line, and the run in the file's path. */
const proof = <S extends Schema.Decoder<unknown>>(
  pattern: string,
  schema: S,
  isOurs: (document: S["Type"], run: string | null) => boolean
) => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  const proves = (text: string, path: string) => {
    const run = path.split(/[/=]|\.json$/).findLast((name) => runMillis(name) !== null) ?? null
    return [text, ...text.split("\n")].some((json) => Option.exists(decode(json), (found) => isOurs(found, run)))
  }
  return { pattern, proves }
}

/** Proofs of a home without marker, the cheapest first. */
const evidence = [
  proof("current.json", Current, ({ games, history }) => Object.keys(games).length > 0 || history.length > 0),
  proof("lock", LockHolder, () => true),
  proof("runs/*.json", Report, (report, run) => report.run === run),
  proof("snapshots/game=*/snapshot=*/manifest.json", Manifest, ({ snapshot }, run) => snapshot === run),
  proof("history/game=*/month=*/part=*/part.json", Part, ({ part }, run) => part === run),
  proof("raw/*/*/ledger.ndjson", LedgerLine, (_, run) => run !== null)
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

const isEvidence = async (
  disk: Disk,
  root: string,
  { pattern, proves }: (typeof evidence)[number]
): Promise<boolean> => {
  for (const path of await matching(disk, root, pattern)) {
    const file = join(root, path)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one is enough
      if (disk.look(file)?.kind === "file" && proves(await disk.readText(file), path)) return true
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

/** True if there are only empty folders of ours and perhaps exchange rates, left by a failed first night. */
const isUnused = async (disk: Disk, root: string, names: ReadonlyArray<string>): Promise<boolean> => {
  const areOurs = names.map(async (name) => {
    const path = join(root, name)
    const { kind } = lookAt(disk, path)
    if (name === "fx_rates.parquet" && kind === "file") return await isParquet(disk, path)
    const isEmpty = async () => (await pathsBelow(disk, path)).every((one) => one.kind === "folder")
    return homeFolders.includes(name) && kind === "folder" && (await isEmpty())
  })
  return (await Promise.all(areOurs)).every(Boolean)
}

/** True if a folder with these names is a home whose marker is missing. */
export const isUnmarkedHome = async (disk: Disk, root: string, names: ReadonlyArray<string>): Promise<boolean> => {
  for (const one of evidence) {
    // oxlint-disable-next-line no-await-in-loop -- the cheapest first, and one is enough
    if (await isEvidence(disk, root, one)) return true
  }
  return isUnused(disk, root, names)
}
