import { join } from "node:path"
import { Effect, Record, Struct } from "effect"
import { type Session, sqlText, scratchSession, withMoreMemory } from "../lake/duckdb/Lake.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import { tableFile } from "../../feed/schema/tableFile.ts"
import type { IdAudit } from "../home/Diff.ts"
import { snapshotVia, sql } from "./openSnapshots.ts"

const view = tableFile(new URL("../lake/views/id_audit.sql", import.meta.url))

/** Tables, and fields of products, that decide the count of each kind. */
const inputs: Readonly<Record<keyof IdAudit, ReadonlyArray<string>>> = {
  shared: ["external_ids", "name", "expansion_id", "print_number"],
  doubled: ["external_ids"],
  moved: ["external_ids"],
  missing: ["external_ids", "product_finishes"],
  apart: ["source_prices"]
}

/** Returns the kinds whose counts may differ between two snapshots. */
const changedKinds = Effect.fnUntraced(function* (session: Session, before: SnapshotFolder, staged: SnapshotFolder) {
  const [was, is] = [before.manifest, staged.manifest]
  const rows = yield* session.rows("List the edited fields", "select distinct field from night_fields")
  const edited = new Set(rows.map(({ field }) => String(field)))
  const isComparable = snapshotVia(before) === snapshotVia(staged) && was.cardlakeVersion === is.cardlakeVersion
  const isChanged = (input: string) =>
    input in is.tables ? was.tables[input]?.sha256 !== is.tables[input]?.sha256 : edited.has(input)
  return Struct.keys(inputs).filter((kind) => !isComparable || inputs[kind].some(isChanged))
})

/**
 * Counts the findings of view `id_audit`. Moved ids come from `changes`, those since the snapshot `before`; null without an
 * earlier snapshot. Counts that cannot differ from those before are not computed.
 */
export const auditIds = Effect.fn("auditIds")(
  function* (
    staged: SnapshotFolder,
    changes: string | null,
    before: (SnapshotFolder & { readonly idAudit: IdAudit }) | null
  ) {
    const session = yield* scratchSession
    const selectRows = (folder: string, table: string) =>
      `from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false)`
    const needed = ["products", "external_ids", "product_finishes", "source_prices"]
    const ofNight = (table: string, none: string) => (changes === null ? none : selectRows(changes, table))
    yield* session.run(
      "Audit the ids",
      [
        ...needed.map((table) => `create view ${table} as ${selectRows(staged.folder, table)}`),
        `create view night_ids as ${ofNight("external_id_versions", "select *, 'added' as change from external_ids where false")}`,
        `create view night_fields as select field from (${ofNight("catalogue_changes", "select null as entity, null as field")}) where entity = 'product'`,
        sql("auditIds.sql"),
        view.sql
      ].join(";\n")
    )
    const known = changes === null ? null : before
    const kinds = known === null ? Struct.keys(inputs) : yield* changedKinds(session, known, staged)
    const rows = yield* session.rows(
      "Count the doubtful ids",
      `select kind, count(*) as ids from id_audit where list_contains([${kinds.map(sqlText).join(", ")}]::varchar[], kind) group by kind`
    )
    const counts = new Map(rows.map(({ ids, kind }) => [kind, Number(ids)]))
    // Moved ids are those of one night.
    const earlier = known === null ? null : { ...known.idAudit, moved: 0 }
    const of = (kind: keyof IdAudit) => (kinds.includes(kind) ? counts.get(kind) : earlier?.[kind]) ?? 0
    return Record.map(inputs, (_, kind) => of(kind)) satisfies IdAudit
  },
  Effect.scoped,
  withMoreMemory
)
