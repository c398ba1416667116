import { Effect, Schema } from "effect"
import { openDiff, summary } from "../src/diff/diffSnapshots.ts"
import type { SnapshotFolder } from "../src/lake/loadSnapshot.ts"
import { snapshotsOf } from "../src/lake/snapshots.ts"

/** A snapshot or deployment that the home does not hold. */
export class SnapshotUnknown extends Schema.TaggedError<SnapshotUnknown>()("SnapshotUnknown", {
  gameId: Schema.String,
  wanted: Schema.String
}) {
  override get message() {
    return `The home holds no ${this.wanted} of ${this.gameId}. See what it holds with: cardlake snapshots`
  }
}

/** Rows of each list; the whole is in the tables `changes` and `reconciliations`. */
const rowsShown = 20

/** The difference of two snapshots with its first rows. Without ids: the newest snapshot against the one before. */
export const runDiff = Effect.fnUntraced(function* (gameId: string, from: string | null, to: string | null) {
  const known = yield* snapshotsOf(gameId)
  const later = yield* to === null ? pick(gameId, "snapshot", known.at(-1)) : find(gameId, known, to)
  const before = known[known.findIndex((one) => one.manifest.snapshot === later.manifest.snapshot) - 1]
  const earlier = yield* from === null ? pick(gameId, "earlier snapshot", before) : find(gameId, known, from)
  const session = yield* openDiff(earlier, later)
  const catalogue = yield* session.rows(
    "List the changes",
    `select entity, id::varchar as id, change, field, old, new, coalesce(p.name, b.name, e.name) as name
     from changes c
     left join after.products p on c.entity = 'product' and p.product_id = c.id
     left join before.products b on c.entity = 'product' and b.product_id = c.id
     left join after.expansions e on c.entity = 'expansion' and e.expansion_id = c.id
     where class = 'catalogue' order by entity, change, c.id, field limit ${rowsShown}`
  )
  const prices = yield* session.rows(
    "List the price moves",
    `select c.id::varchar as id, p.name, split_part(field, '.', 2) as finish, split_part(field, '.', 3) as source, old, new
     from changes c join after.products p on p.product_id = c.id
     where class = 'price' and field like '%.market_value' and old is not null and new is not null
     order by abs(new::decimal(18, 4) - old::decimal(18, 4)) desc, c.id, field limit ${rowsShown}`
  )
  const unexplained = yield* session.rows(
    "List what the changelog does not explain",
    `select entity, item_id::varchar as id, slug, claimed, seen, status from reconciliations
     where status <> 'confirmed' and explanation is null order by entity, item_id, slug limit ${rowsShown}`
  )
  const text = (rows: ReadonlyArray<Record<string, unknown>>) =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]))
    )
  return {
    ...(yield* summary(session, earlier, later)),
    catalogue: text(catalogue),
    prices: text(prices),
    unexplained: text(unexplained)
  }
}, Effect.scoped)

const pick = (gameId: string, wanted: string, snapshot: SnapshotFolder | undefined) =>
  snapshot === undefined ? Effect.fail(new SnapshotUnknown({ gameId, wanted })) : Effect.succeed(snapshot)

/** By snapshot id, else the newest snapshot of that deployment. */
const find = (gameId: string, known: ReadonlyArray<SnapshotFolder>, wanted: string) =>
  pick(
    gameId,
    wanted,
    known.find((one) => one.manifest.snapshot === wanted) ??
      known.findLast((one) => one.manifest.deploymentId === wanted)
  )
