import { join } from "node:path"
import { Effect } from "effect"
import { sqlText, scratchSession } from "../lake/duckdb/Lake.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import { tableFile } from "../../feed/schema/tableFile.ts"
import { withMoreMemory } from "../lake/duckdb/threadsAndMemory.ts"
import type { IdAudit } from "./Diff.ts"
import { sql } from "./openSnapshots.ts"

const view = tableFile(new URL("../lake/views/id_audit.sql", import.meta.url))

/** Counts the findings of view `id_audit`. Moved ids come from `changes`; null without an earlier snapshot. */
export const auditIds = Effect.fn("auditIds")(
  function* (staged: SnapshotFolder, changes: string | null) {
    const session = yield* scratchSession
    const selectRows = (folder: string, table: string) =>
      `from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false)`
    const asked = ["products", "external_ids", "product_finishes", "source_prices"]
    const nightIds =
      changes === null
        ? "select *, 'added' as change from external_ids where false"
        : selectRows(changes, "external_id_versions")
    yield* session.run(
      "Audit the ids",
      [
        ...asked.map((table) => `create view ${table} as ${selectRows(staged.folder, table)}`),
        `create view night_ids as ${nightIds}`,
        sql("auditIds.sql"),
        view.sql
      ].join(";\n")
    )
    const rows = yield* session.rows(
      "Count the doubtful ids",
      "select kind, count(*) as ids from id_audit group by kind"
    )
    const counts = new Map(rows.map(({ ids, kind }) => [kind, Number(ids)]))
    const of = (kind: keyof IdAudit) => counts.get(kind) ?? 0
    return {
      shared: of("shared"),
      doubled: of("doubled"),
      moved: of("moved"),
      missing: of("missing"),
      apart: of("apart")
    } satisfies IdAudit
  },
  Effect.scoped,
  withMoreMemory
)
