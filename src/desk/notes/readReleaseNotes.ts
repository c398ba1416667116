import { Effect } from "effect"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { type NoteSection, type NoteSectionName, noteSections } from "./noteSections.ts"
import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { Diff } from "../../store/home/Diff.ts"

/** The sizes from which release notes list a price move, and how much they list at most. */
export interface NoteBounds {
  /** The maximum number of lines per section. */
  readonly shown: number
  /** The minimum move of a market value in percent. */
  readonly minMove: number
  /** The minimum price, in its currency: the higher of the old and the new one counts. */
  readonly minPrice: number
}

/** A line of a section by column; every number is exact text, null = no value. */
export type NoteLine = Readonly<Record<string, string | null>>

/** The release notes of a difference. Empty sections are left out. */
export type ReleaseNotes = Effect.Success<ReturnType<typeof readReleaseNotes>>

/** A section with its first lines, and the number of distinct items in it. */
export type NoteLines = ReleaseNotes["sections"][number]

/** The counts of a difference with its release notes. */
export interface Difference extends Omit<Diff, "files">, ReleaseNotes {
  /** The later snapshot's names of the sources. */
  readonly dialect: DialectName
  /** Why the later snapshot is held; absent: it is or was published. */
  readonly held?: ReadonlyArray<string>
  readonly fromDeployedAt: string | null
  readonly toDeployedAt: string | null
}

const isAnother = ownText(new URL("../../store/lake/history/is_another.sql", import.meta.url))
const identities = ownText(new URL("../../store/diff/identities.sql", import.meta.url))

const names = Object.keys(noteSections) as ReadonlyArray<NoteSectionName>

const readValues = (session: Session) =>
  Effect.map(session.rows("Add up the values", "from note_values"), (rows) =>
    rows.map(({ currency, products, section, value }) => ({
      section: String(section),
      currency: String(currency),
      value: String(value),
      products: Number(products)
    }))
  )

/**
 * Fills table `trusted`: the doubts of `price_trust` about the later snapshot's moved prices, of the first `shown` or of
 * all. It is empty unless this snapshot is the lake's last: the verdicts of other nights would be computed from up to 37
 * readings.
 */
const readTrust = Effect.fnUntraced(function* (session: Session, shown: number | null) {
  const rows = `select id from note_moves ${shown === null ? "" : `order by ${noteSections.moves.order} limit ${shown}`}`
  const [{ database, game, snapshot, ids } = {}] = yield* session.rows(
    "Find the moved prices",
    `select current_database() as database, getvariable('game_id') as game, getvariable('to_snapshot') as snapshot,
       (select string_agg(distinct id, ', ') from (${rows})) as ids`
  )
  if (ids == null) return
  // In its own session: here, temporary tables have names of the lake's. Notes do not depend on the lake: it may be missing,
  // damaged or of another version, which doctor reports.
  const lake = yield* Effect.orElseSucceed(openLake, () => null)
  const known = "select 1 from duckdb_functions() where function_name = 'price_trust'"
  if (lake === null || (yield* lake.rows("Find the trust in prices", known)).length === 0) return
  const ofLast = `game_id = ${sqlText(String(game))} and ${sqlText(String(snapshot))} in
      (select snapshot from snapshots where is_current and game_id = ${sqlText(String(game))})`
  yield* lake.run(
    "Read the trust in prices",
    `insert into "${String(database)}".main.trusted
       select product_id, finish, source, verdict from price_trust()
       where verdict <> 'ok' and ${ofLast} ${shown === null ? "" : `and product_id in (${String(ids)})`}`
  )
}, Effect.scoped)

/** SQL of the lines and items of each section that has any. */
const countsSql = `with lines as (${names.map((name) => `select '${name}' as section, count(*) as total from note_${name}`).join(" union all ")}),
   items as (
     select section, count(distinct id) filter (entity = 'product') as products,
       count(distinct id) filter (entity = 'expansion') as expansions,
       count(distinct id) filter (entity = 'deployment') as deployments
     from note_items group by section
   )
   from lines join items using (section) where total > 0`

/**
 * Reads the release notes from a session that has a difference loaded. View `note_moves` says how far to trust the first
 * `trusted` moves; null = all.
 */
export const readReleaseNotes = Effect.fn("readReleaseNotes")(function* (
  session: Session,
  { minMove, minPrice, shown }: NoteBounds,
  trusted: number | null = shown
) {
  yield* session.set({ min_move: minMove, min_price: minPrice })
  yield* session.run("Recognise the products", `${isAnother}${identities}`)
  yield* session.run("Find the price moves", ownText(new URL("./priceMoves.sql", import.meta.url)))
  yield* readTrust(session, trusted)
  yield* session.run("Find the currencies that changed", ownText(new URL("./noteCurrencies.sql", import.meta.url)))
  yield* session.run("Write the release notes", ownText(new URL("./releaseNotes.sql", import.meta.url)))
  const counted = yield* session.rows("Count the release notes", countsSql)
  const counts = new Map(counted.map((row) => [row["section"], row]))
  const sections = yield* Effect.forEach(
    names.filter((name) => counts.has(name)),
    Effect.fnUntraced(function* (name) {
      const count = (column: string) => Number(counts.get(name)?.[column])
      const rows = yield* session.rows(`List section ${name}`, linesSql(name, shown))
      return {
        section: name,
        products: count("products"),
        expansions: count("expansions"),
        deployments: count("deployments"),
        /** The total number of lines; `lines` has the first. */
        total: count("total"),
        lines: rows.map(asLine)
      }
    })
  )
  const [one = {}] = yield* session.rows(
    "Count the identities",
    `select
       (select any_value(name) from after.games where game_id = getvariable('game_id')) as game_name,
       (select count(*) from identities where kind = 'replaced') as replaced,
       (select count(*) from identities where kind = 'merged') as merged,
       (select count(*) from identities where kind = 'reused') as reused,
       (select count(*) from value_moves where percent is null) as from_zero`
  )
  const values = yield* readValues(session)
  const sizes = yield* session.rows("Count the price moves", "from move_sizes")
  return {
    gameName: String(one["game_name"] ?? ""),
    /** Removed products that got a new id or were merged into another, and ids that now identify another product. */
    identities: { replaced: Number(one["replaced"]), merged: Number(one["merged"]), reused: Number(one["reused"]) },
    bounds: { minMove, minPrice },
    sections,
    /** The counts of market values that moved by more than `over` percent up to `upTo`, away from 0; null = no limit. */
    moveSizes: sizes.map(({ moves, over, up_to }) => ({
      over: Number(over),
      upTo: up_to === null ? null : Number(up_to),
      moves: Number(moves)
    })),
    /** The number of market values that rose from 0, which has no percentage. */
    movesFromZero: Number(one["from_zero"]),
    /** The market value of one of each added or removed product that has one, by currency; exact texts. */
    values
  }
})

/** SQL that adds the columns that distinguish products of one name. */
export const productsNamed =
  'select product_id as id, name, expansion_code as "set", print_number as "number" from after.products'

/** SQL of the first lines of a section, each cell as text. */
const linesSql = (name: NoteSectionName, shown: number): string => {
  const { columns, order, unnamed }: NoteSection = noteSections[name]
  return `with first as (
      select *, row_number() over (order by ${order}) as place from (from note_${name} order by ${order} limit ${shown})
    )
    select ${columns.map((column) => `"${column.name}"::varchar as "${column.name}"`).join(", ")}
    from first ${unnamed === true ? `join (${productsNamed}) using (id)` : ""}
    order by place`
}

export const asLine = (row: Readonly<Record<string, unknown>>): NoteLine =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]))
