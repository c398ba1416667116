import { Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { lostPlaces, type ReadTable } from "../../drop/readBack.ts"
import { evolvedMetaData } from "./deltaSchema.ts"
import { deltaLog } from "./deltaLog.ts"
import { liveFiles } from "./liveFiles.ts"
import { keyOf } from "./DeltaTable.ts"

/** A table as its log has it. */
export const readDelta = Effect.fnUntraced(function* (
  to: Destination,
  session: Session,
  stage: string,
  table: ExportTable
) {
  const name = tableName(table)
  const log = deltaLog(to, stage)
  const found = yield* log.find(session, name)
  if (found === null) return null
  yield* evolvedMetaData(table, found.table.metaData)
  const live = liveFiles(found.table)
  const commits = yield* log.commits(found.table)
  const told = commits.flatMap((actions) =>
    actions.flatMap(({ commitInfo }) => {
      const facts = commitInfo?.operationParameters
      return facts == null ? [] : [{ facts, isEmptied: commitInfo?.operation === "DELETE" }]
    })
  )
  const earlier = commits.flatMap((actions) => actions.flatMap(({ add }) => (add == null ? [] : [keyOf(add.path)])))
  const ever = new Set([...found.table.files.keys(), ...found.table.removed.keys(), ...earlier])
  return {
    live,
    lost: lostPlaces(live, told),
    named: (paths) => Effect.succeed(paths.filter((path) => ever.has(path.slice(name.length + 1))))
  } satisfies ReadTable
})
