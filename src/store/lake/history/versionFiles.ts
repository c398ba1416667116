import { join } from "node:path"
import { firstTables, partTables } from "../../../feed/schema/partTables.ts"
import type { Night } from "./nights.ts"

const versionTables = partTables.flatMap(({ entity, name }) => (entity === null ? [] : [name]))

/** The files that have the versions of these nights: of their months, or their own. */
export const versionFiles = (nights: ReadonlyArray<Night>): ReadonlyArray<string> => [
  ...new Set(
    nights.flatMap(({ file, follows, versionsIn }) =>
      versionsIn !== null
        ? versionTables.map((table) => join(versionsIn.folder, `${table}.parquet`))
        : (follows === null ? firstTables : versionTables).flatMap((table) => file(`${table}.parquet`) ?? [])
    )
  )
]
