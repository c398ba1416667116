import { glob, open, readdir, readFile, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Option, Schema } from "effect"
import { Current } from "./Home.ts"
import { homeFolders } from "./homePaths.ts"
import { LockHolder } from "./lock/LockHolder.ts"
import { Manifest } from "./Manifest.ts"
import { millisOf } from "./newRunId.ts"
import { Part } from "./parts.ts"

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
      return millisOf(run) !== null && decoded(Report, text)?.run === run
    }
  ],
  [
    "snapshots/game=*/snapshot=*/manifest.json",
    (text, path) => {
      const run = runIn(dirname(path))
      return millisOf(run) !== null && decoded(Manifest, text)?.snapshot === run
    }
  ],
  [
    "history/game=*/month=*/part=*/part.json",
    (text, path) => {
      const run = runIn(dirname(path))
      return millisOf(run) !== null && decoded(Part, text)?.part === run
    }
  ],
  [
    "raw/*/*/ledger.ndjson",
    (text, path) =>
      millisOf(runIn(dirname(path))) !== null &&
      text.split("\n").some((line) => line !== "" && decoded(LedgerLine, line) !== null)
  ]
]

const isEvidence = async (root: string, [pattern, isOurs]: (typeof evidence)[number]): Promise<boolean> => {
  for await (const path of glob(pattern, { cwd: root })) {
    const file = join(root, path)
    try {
      if ((await stat(file)).isFile() && isOurs(await readFile(file, "utf8"), path)) return true
    } catch {
      // An unreadable file proves nothing; check the next one.
    }
  }
  return false
}

const isParquet = async (file: string): Promise<boolean> => {
  const handle = await open(file)
  try {
    return (await handle.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString("latin1") === "PAR1"
  } finally {
    await handle.close()
  }
}

/** True if there are only empty folders of ours and perhaps exchange rates: a first night failed early. */
const isUnused = async (root: string, names: ReadonlyArray<string>): Promise<boolean> => {
  for (const name of names) {
    const path = join(root, name)
    // oxlint-disable-next-line no-await-in-loop -- stops at the first foreign file
    const there = await stat(path)
    if (name === "fx_rates.parquet" && there.isFile()) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (!(await isParquet(path))) return false
    } else {
      if (!homeFolders.includes(name) || !there.isDirectory()) return false
      // oxlint-disable-next-line no-await-in-loop -- as above
      const below = await readdir(path, { recursive: true, withFileTypes: true })
      if (below.some((entry) => !entry.isDirectory())) return false
    }
  }
  return true
}

/** True if a folder with these names is a home whose marker is missing. */
export const isUnmarkedHome = async (root: string, names: ReadonlyArray<string>): Promise<boolean> => {
  for (const one of evidence) {
    // oxlint-disable-next-line no-await-in-loop -- the cheapest first, and one is enough
    if (await isEvidence(root, one)) return true
  }
  return isUnused(root, names)
}
