import { join } from "node:path"
import { Effect, Schema } from "effect"
import { giveBackMemory, withMoreMemory, type Session, sqlText, parquetFormat } from "../lake/duckdb/Lake.ts"
import type { Manifest, SnapshotFolder } from "../home/Manifest.ts"
import { namingDamage } from "../lake/repair/damages.ts"
import { verifySnapshot, snapshotRows, noRows } from "../lake/snapshot/snapshotRows.ts"
import { tableNamed } from "../../feed/schema/snapshotTables.ts"
import { keyColumns, nameIn, rowOrder, type Column, type TableFile } from "../../feed/schema/tableFile.ts"
import { fileSha256, makeFolder, syncToDisk } from "../home/disk.ts"
import { writeJson } from "../home/jsonFile.ts"
import { Diff, ReconciliationCounts } from "../home/Diff.ts"
import { alignVias, apartByVia, lastByVia, sameLists, snapshotVia, openSnapshots, sql } from "./openSnapshots.ts"
import { explainReworded } from "./rewordedClaims.ts"
import { changesAsText, priceMoves, tablesOfPrices } from "../lake/history/nightlyTables.ts"

/**
 * Creates view `told_slugs` with the known slugs of products, which pages lack. They come from claims with an id and
 * from the last snapshot that was read by feed files.
 */
const knownSlugs = Effect.fnUntraced(function* (session: Session, from: SnapshotFolder) {
  const products = (snapshot: SnapshotFolder) => snapshotRows([snapshot], "products")
  const last = yield* lastByVia(from, "feeds")
  yield* session.set({ last_sequence: last?.manifest.lastSequence ?? 0 })
  yield* session.run(
    "Open the slugs",
    [
      "create schema slugs",
      `create view slugs.before as ${yield* products(from)}`,
      `create view slugs.last as ${last === null ? "from slugs.before where false" : yield* products(last)}`,
      sql("knownSlugs.sql")
    ].join(";\n")
  )
})

/** Rows per group of price moves: a query reads one group of each night, so small games have small ones. */
const movesInGroup = ({ tables }: Manifest): number => {
  const prices = tablesOfPrices.reduce((sum, { name }) => sum + (tables[name]?.rows ?? 0), 0)
  return Math.min(20_480, 2_048 * Math.max(1, Math.round(prices / 16 / 2_048)))
}

/**
 * Computes the changes between two snapshots of a game, reconciles them with the changelog, and writes all into
 * `folder`. Fails with `FileDamaged` if a file of either does not match its record. Design: decision 8.
 */
export const diffSnapshots = Effect.fn("diffSnapshots")(
  function* (from: SnapshotFolder, to: SnapshotFolder, folder: string) {
    yield* verifySnapshot(from, to)
    yield* verifySnapshot(to)
    const session = yield* openDiff(from, to)
    const last = snapshotVia(from) === snapshotVia(to) ? null : yield* lastByVia(from, snapshotVia(to))
    yield* giveBackMemory
    yield* makeFolder(folder)
    yield* session.run("Find the versions", sql("versions.sql"))
    const files: Record<string, ReadonlyArray<string>> = {}
    for (const [table, order] of [
      ["catalogue_changes", "entity, id, field nulls first"],
      // All rows of one night have the same snapshot.
      ["price_moves", rowOrder(priceMoves).replace("to_snapshot nulls first, ", "")],
      ["reconciliations", "entity, item_id, slug"],
      ["product_versions", "product_id"],
      ["expansion_versions", "expansion_id"],
      ["external_id_versions", "product_id, system, finish, external_id"]
    ]) {
      const file = join(folder, `${table}.parquet`)
      yield* session.run(
        `Write ${table}.parquet`,
        `copy (from ${table} order by ${order}) to ${sqlText(file)} ${parquetFormat(table === "price_moves" ? movesInGroup(to.manifest) : undefined)}`
      )
      yield* syncToDisk(file)
      files[`${table}.parquet`] = [yield* fileSha256(file)]
    }
    yield* giveBackMemory
    const compared = last === null ? {} : { lastByVia: last.manifest.snapshot }
    const diff: Diff = { ...(yield* summary(session, from, to)), ...compared, files }
    yield* writeJson(join(folder, "diff.json"), Diff, diff)
    return diff
  },
  namingDamage,
  Effect.scoped,
  withMoreMemory
)

/** Opens a session with the difference of two snapshots: temporary `changes`, `price_moves` and `reconciliations`. */
export const openDiff = Effect.fnUntraced(function* (from: SnapshotFolder, to: SnapshotFolder) {
  const { gameId } = to.manifest
  const session = yield* openSnapshots(from, to)
  const fields = comparedFields("products", from, to)
  yield* knownSlugs(session, from)
  const last = yield* alignVias(session, { from, to }, fields)
  const isForwards = from.manifest.lastSequence <= to.manifest.lastSequence
  yield* session.set({
    game_id: gameId,
    from_snapshot: from.manifest.snapshot,
    to_snapshot: to.manifest.snapshot,
    from_sequence: from.manifest.lastSequence,
    to_sequence: to.manifest.lastSequence,
    since_sequence: ((isForwards ? last : null) ?? from).manifest.lastSequence,
    via: to.manifest.via ?? "pages",
    // In the spec's dialect, the changelog names products as pages do.
    slugs_on_pages: (to.manifest.dialect ?? "spec") === "spec" ? 1 : 0,
    product_fields: fields,
    expansion_fields: comparedFields("expansions", from, to),
    unversioned: tableNamed("products").columns.flatMap(({ isVersioned, name }) => (isVersioned ? [] : [name])),
    documents: ["attributes", "extra"],
    same_lists: sameLists(from, to),
    apart_by_via: apartByVia
  })
  yield* session.run("Compare the catalogue", sql("compareCatalogue.sql"))
  const isOfOneContract = from.manifest.contractVersion === to.manifest.contractVersion
  const figures = (table: string) => comparedFigures(table, from, to)
  yield* withMoreMemory(session.run("Compare the prices", comparePrices(figures, isOfOneContract)))
  yield* session.run(
    "Describe the changes",
    `create temp view changes as ${changesAsText("from catalogue_changes", "from price_moves")}`
  )
  yield* session.run("Reconcile with the changelog", sql("reconcile.sql"))
  yield* explainReworded(session, { from, to })
  yield* session.run("Look for contradictions", sql("contradictions.sql"))
  return session
})

/** Returns the figures of a price table that both have. A later contract version moves keys from `extra` to columns. */
const comparedFigures = (table: string, from: SnapshotFolder, to: SnapshotFolder) => {
  const keys = keyColumns(tableNamed(table))
  const isOfOneContract = from.manifest.contractVersion === to.manifest.contractVersion
  return comparedFields(table, from, to).filter((name) => !keys.includes(name) && (name !== "extra" || isOfOneContract))
}

const keys = new Set(["game_id", "product_id", "expansion_id"])

/** Returns columns that both snapshots have, because neither new columns nor derived figures are changes. */
const comparedFields = (table: string, from: SnapshotFolder, to: SnapshotFolder): ReadonlyArray<string> => {
  const known = Math.min(from.manifest.contractVersion, to.manifest.contractVersion)
  const inBoth = (column: Column) =>
    column.retired === null &&
    column.isVersioned &&
    !column.isDerived &&
    nameIn(column, known) !== null &&
    (!keys.has(column.name) || (table === "products" && column.name === "expansion_id"))
  return tableNamed(table)
    .columns.filter(inBoth)
    .map(({ name }) => name)
}

const { changes, contradictions, unclaimedRemovals } = Diff.fields
const Counts = Schema.Struct({ changes, contradictions, unclaimedRemovals, reconciliation: ReconciliationCounts })
const decodeCounts = Schema.decodeUnknownEffect(Schema.fromJsonString(Counts))

export const summary = Effect.fnUntraced(function* (session: Session, from: SnapshotFolder, to: SnapshotFolder) {
  const [row] = yield* session.rows("Count the changes", sql("summary.sql"))
  const { reconciliation, ...counts } = yield* Effect.orDie(decodeCounts(row?.["counts"]))
  const { byCount, ...claims } = reconciliation
  const isBackwards = from.manifest.lastSequence > to.manifest.lastSequence
  return {
    gameId: to.manifest.gameId,
    from: from.manifest.snapshot,
    to: to.manifest.snapshot,
    fromDeployment: from.manifest.deploymentId,
    toDeployment: to.manifest.deploymentId,
    changes: counts.changes,
    unclaimedRemovals: counts.unclaimedRemovals,
    contradictions: counts.contradictions,
    reconciliation: isBackwards ? null : byCount === 0 ? claims : reconciliation
  } satisfies Omit<Diff, "files">
})

/** Returns SQL of the rows of a price table that differ in a figure, old and new side by side. */
const movesIn = (table: TableFile, figures: ReadonlyArray<string>): string => {
  const keys = keyColumns(table)
  const select = [
    ...keys.map((key) => `coalesce(b.${key}, a.${key}) as ${key}`),
    ...figures.flatMap((figure) => [`b.${figure} as old_${figure}`, `a.${figure}`])
  ]
  // A header says what null means where a column can be null.
  const nullable = new Set(table.columns.flatMap(({ comment, name }) => (comment.includes("null = ") ? [name] : [])))
  const isSame = (key: string) => `a.${key} ${nullable.has(key) ? "is not distinct from" : "="} b.${key}`
  return `select ${select.join(", ")}
    from before.${table.name} b full join after.${table.name} a on ${keys.map(isSame).join(" and ")}
    where (${figures.map((figure) => `b.${figure} is distinct from a.${figure}`).join(" or ")})
      and coalesce(b.product_id, a.product_id) not in (from gone_or_new)`
}

/**
 * Returns SQL that creates view `price_moves`, the price rows that differ between two snapshots, for products in both,
 * table by table, because one statement would hold the rows of all tables in memory;
 * its columns are those of {@link priceMoves}. Reads schemas `before` and `after`, table
 * `touched_products`, and variables `game_id`, `from_snapshot`, `to_snapshot`. `figuresIn` returns the figures of a
 * table that both snapshots have; with `comparesExtra` a product's unknown price blocks are compared, too.
 */
export const comparePrices = (figuresIn: (table: string) => ReadonlyArray<string>, comparesExtra: boolean): string => {
  const moves = tablesOfPrices.flatMap((table) => {
    const figures = figuresIn(table.name)
    return figures.length === 0 ? [] : [movesIn(table, figures)]
  })
  const blocks = `select product_id, b.price_extra as old_extra, a.price_extra as extra
    from (select product_id, price_extra from before.products where price_extra is not null) b
    full join (select product_id, price_extra from after.products where price_extra is not null) a using (product_id)
    where b.price_extra is distinct from a.price_extra and product_id not in (from gone_or_new)`
  const ids = ["game_id", "from_snapshot", "to_snapshot"]
  const columns = priceMoves.columns.filter(({ name }) => !ids.includes(name))
  return `create or replace temp table gone_or_new as select id as product_id from touched_products where change <> 'modified';
    create or replace temp table moved_prices as ${noRows(columns)};
    ${[...moves, ...(comparesExtra ? [blocks] : [])].map((move) => `insert into moved_prices by name ${move};`).join("\n")}
    create temp view price_moves as
    select ${ids.map((id) => `getvariable('${id}') as ${id}`).join(", ")}, * from moved_prices`
}
