import { Effect, Schema } from "effect"
import type { Session } from "../../lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { tableName } from "../drop/Drop.ts"
import type { DropTable } from "../drop/dropTables.ts"
import { fileFault, lostPartitions, type ReadPartition } from "../drop/readBack.ts"
import { evolvedMetaData } from "./deltaSchema.ts"
import { deltaLog } from "./deltaLog.ts"

const Statistics = Schema.fromJsonString(Schema.Struct({ numRecords: Schema.Int }))

/** Reads the files of a table's last version back. */
export const verifyDelta = Effect.fnUntraced(function* (
  to: Destination,
  session: Session,
  stage: string,
  table: DropTable
) {
  const name = tableName(table)
  const log = deltaLog(to, stage)
  const found = yield* log.find(session, name)
  if (found === null) return []
  yield* evolvedMetaData(table, found.table.metaData)
  const read: Array<ReadPartition> = []
  for (const [path, { partitionValues: values, size: bytes, stats }] of found.table.files) {
    const isElsewhere = /^\w+:|^\/|(^|\/)\.\.(\/|$)/.test(path)
    const fault = isElsewhere
      ? `its file lies elsewhere: ${path}`
      : yield* fileFault(to, stage, `${name}/${path}`, bytes)
    const counted = Schema.decodeUnknownOption(Statistics)(stats)
    const rows = counted._tag === "Some" ? counted.value.numRecords : 0
    const place = { game: values["game_id"] ?? "", dt: values["snapshot_date"] ?? "" }
    read.push({ table: table.name, ...place, rows, bytes, fault })
  }
  const commits = (yield* log.commits(found.table)).flatMap((actions) =>
    actions.flatMap(({ commitInfo }) => {
      const facts = commitInfo?.operationParameters
      return facts == null ? [] : [{ facts, isEmptied: commitInfo?.operation === "DELETE" }]
    })
  )
  return [...read, ...lostPartitions(table.name, read, commits)]
})
