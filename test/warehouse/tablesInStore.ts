import { assert } from "@effect/vitest"
import type { ConditionalStore } from "../store/home/conditionalStore.ts"
import { commitOf, liveFiles as deltaFiles } from "./deltaReader.ts"
import { liveFiles as icebergFiles, metadataOf, type ReadMetadata } from "./icebergReader.ts"

/** Where the tables are. */
export const place = "s3://lakes/tables"

/** What readers find of a table in a store: the files of each of them, and how many versions there are. */
interface TableFound {
  readonly files: Readonly<Record<string, ReadonlyArray<Buffer>>>
  readonly versions: number
}
export interface FoundInStore {
  readonly format: "iceberg" | "delta"
  readonly find: (store: ConditionalStore, table: string) => TableFound
}

const bytesAt = ({ objects }: ConditionalStore, key: string): Buffer => {
  const there = objects.get(key)
  assert.isDefined(there, `${key} is gone`)
  return there.body
}
const keysLike = ({ objects }: ConditionalStore, pattern: RegExp): ReadonlyArray<string> =>
  [...objects.keys()].filter((key) => pattern.test(key))

/** By the hint, and by the last version that there is. */
export const icebergInStore: FoundInStore = {
  format: "iceberg",
  find: (store, table) => {
    const read = (address: string) => bytesAt(store, address.replace("s3://lakes/", ""))
    const versions = keysLike(store, new RegExp(`^tables/${table}/metadata/v\\d+\\.metadata\\.json$`)).map((key) =>
      Number(/v(\d+)\.metadata/.exec(key)?.[1])
    )
    const latest = read(`${place}/${table}/metadata/v${Math.max(...versions)}.metadata.json`).toString()
    const filesOf = (metadata: ReadMetadata) =>
      icebergFiles(metadata, metadata["current-snapshot-id"], read).map(({ file_path: path }) => read(path))
    return {
      files: {
        hint: filesOf(metadataOf(`${place}/${table}`, read)),
        latest: filesOf(JSON.parse(latest) as ReadMetadata)
      },
      versions: versions.length
    }
  }
}

export const deltaInStore: FoundInStore = {
  format: "delta",
  find: (store, table) => {
    const commits = keysLike(store, new RegExp(`^tables/${table}/_delta_log/\\d{20}\\.json$`))
      .toSorted()
      .map((key) => commitOf(bytesAt(store, key).toString()))
    return {
      files: { log: deltaFiles(commits).map(({ path }) => bytesAt(store, `tables/${table}/${path}`)) },
      versions: commits.length
    }
  }
}
