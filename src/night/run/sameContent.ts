import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { openSnapshots } from "../../store/diff/openSnapshots.ts"
import type { SnapshotFolder } from "../../store/home/Manifest.ts"
import { catalogueTables } from "../../feed/schema/snapshotTables.ts"

const sameNotes = readFileSync(new URL("./sameNotes.sql", import.meta.url), "utf8")

/** They repeat the words of the pages, and the sentences of the program. */
const notes: ReadonlySet<string> = new Set(["refusals", "drift"])

/**
 * Whether two readings found the same state. Those of one program write the same bytes; in other words, or by another
 * program, the same records are refused and as many have unknown keys.
 */
export const sameContent = Effect.fn("sameContent")(function* (earlier: SnapshotFolder, later: SnapshotFolder) {
  const [before, after] = [earlier.manifest, later.manifest]
  if (before.deploymentId !== after.deploymentId || before.contractVersion !== after.contractVersion) return false
  if ((before.road ?? "pages") !== (after.road ?? "pages")) return false
  const apart = [...catalogueTables].filter((table) => before.tables[table]?.sha256 !== after.tables[table]?.sha256)
  if (apart.length === 0) return true
  const isAlike = before.dialect === after.dialect && before.cardlakeVersion === after.cardlakeVersion
  if (isAlike || apart.some((table) => !notes.has(table))) return false
  const session = yield* openSnapshots(earlier, later)
  const [row] = yield* session.rows("Compare what was noted", sameNotes)
  return Number(row?.["apart"]) === 0
}, Effect.scoped)
