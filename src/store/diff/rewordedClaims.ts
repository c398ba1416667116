import { Effect } from "effect"
import type { SnapshotFolder } from "../home/Manifest.ts"
import type { Session } from "../lake/duckdb/Lake.ts"
import { type IdsByEntity, recordHashes } from "../lake/snapshot/recordHashes.ts"
import { lastNight, snapshotVia } from "./alignVias.ts"

/** Unexplained claims of a modification without a changed column. */
const unseen = `select entity, item_id from reconciliations
  where claimed = 'modified' and seen is null and item_id is not null
    and (explanation is null or explanation in ('price_only', 'not_in_feeds'))`

/**
 * Explains claims about records whose text changed without changing a column. Compares the record in the raw pages of
 * the later night and of the last earlier reading in the same way and dialect. Without these pages, the claim remains
 * unexplained.
 */
export const explainReworded = Effect.fnUntraced(function* (
  session: Session,
  { from, to }: { readonly from: SnapshotFolder; readonly to: SnapshotFolder }
) {
  const claims = yield* session.rows("Find claimed changes that no column shows", unseen)
  if (claims.length === 0) return
  const last = yield* lastNight(
    from,
    (one) => snapshotVia(one) === snapshotVia(to) && one.manifest.dialect === to.manifest.dialect
  )
  if (last === null) return
  const selectIds = (entity: string) =>
    new Set(claims.flatMap((claim) => (claim["entity"] === entity ? [Number(claim["item_id"])] : [])))
  const ids: IdsByEntity = { product: selectIds("product"), expansion: selectIds("expansion") }
  const before = yield* Effect.option(recordHashes(last.manifest, ids))
  if (before._tag === "None") return
  const after = yield* Effect.option(recordHashes(to.manifest, ids))
  if (after._tag === "None") return
  for (const [entity, wanted] of Object.entries(ids)) {
    const reworded = [...wanted].filter((id) => {
      const [was, is] = [before.value.get(`${entity} ${id}`), after.value.get(`${entity} ${id}`)]
      return was !== undefined && is !== undefined && was !== is
    })
    if (reworded.length === 0) continue
    yield* session.run(
      "Explain what is worded otherwise",
      `update reconciliations set explanation = 'rewritten'
       where entity = '${entity}' and item_id in (${reworded.join(", ")}) and (entity, item_id) in (${unseen})`
    )
  }
})
