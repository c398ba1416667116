import { join } from "node:path"
import { Effect } from "effect"
import { backfillPartsOf, type BackfillPartFolder } from "../../home/backfill/BackfillPart.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { noRows } from "../snapshot/withCurrentColumns.ts"
import { backfillTables } from "./backfillTables.ts"

/** SQL of a table's rows in these parts. */
export const partsSql = ({ columns, name }: TableFile, parts: ReadonlyArray<BackfillPartFolder>): string => {
  const files = parts.map(({ folder }) => sqlText(join(folder, `${name}.parquet`)))
  if (files.length === 0) return noRows(columns)
  const selected = columns.map((column) => column.name).join(", ")
  return `select ${selected} from read_parquet([${files.join(", ")}], hive_partitioning = false)`
}

/** A game's parts that can be read. If one is damaged, none of the game's is: a row must not be there twice, or half. */
const readableParts = (gameId: string) =>
  backfillPartsOf(gameId).pipe(
    Effect.catchTag(["FileDamaged", "UnsupportedContract"], ({ message }) =>
      Effect.as(
        Effect.logWarning(`The lake is without the backfill of ${gameId}. ${message}`),
        [] as ReadonlyArray<BackfillPartFolder>
      )
    )
  )

/** SQL of the views over all backfills' files, by name. */
export const backfillFiles = Effect.fnUntraced(function* (games: ReadonlyArray<string>) {
  const parts = (yield* Effect.forEach(games, readableParts)).flat()
  return backfillTables.map((table) => [table.name, partsSql(table, parts)] as const)
})
