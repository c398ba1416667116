import { pipeline } from "node:stream/promises"
import { basename, join } from "node:path"
import { hash } from "node:crypto"
import { ownText } from "../../feed/disk/ownText.ts"
import { Clock, DateTime, Effect, Schema } from "effect"
import { type RunId } from "../../feed/contract/Ids.ts"
import { makeFolder, removeAll, replace, syncToDisk, privateFolder } from "../../store/home/disk.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { type Session, sqlText, parquetFormat } from "../../store/lake/duckdb/Lake.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { changeOwn } from "./changeOwn.ts"
import { type Collection, type Import, ownPaths } from "./Own.ts"
import { type ReadFile, readCollectionFile } from "./readFile.ts"
import { type Unread, stagedColumns, stageRows } from "./stageRows.ts"

/** The collection already contains the file. */
export class AlreadyAdded extends Schema.TaggedError<AlreadyAdded>()("AlreadyAdded", {
  file: Schema.String,
  name: Schema.String,
  at: Schema.String
}) {
  override get message() {
    return `${this.file} was added to ${this.name} at ${this.at}. Nothing was changed. To read it anew in place of all that is there, leave out --add`
  }
}

/** The options of an import. */
export interface Asked {
  readonly file: string
  /** The collection's name; null = the file's name without its extension. */
  readonly name: string | null
  /** True to add to the collection, false to replace its contents. */
  readonly add: boolean
  /** The only game of the cards; null = any game of the lake. */
  readonly game: string | null
  /** The currency of prices paid if the file has none; null = unknown. */
  readonly currency: string | null
}

/** The result of an import, with the rows that were not matched. */
export interface Imported extends Import {
  readonly name: string
  readonly replaced: ReadonlyArray<Import>
  /** The number of rows with a price paid but no currency. */
  readonly paidInUnknown: number
  /** The number of rows whose product does not have their finish. */
  readonly finishUnknown: number
  /** The values that were not understood, by kind. */
  readonly unread: ReadonlyArray<Unread>
  /** The columns whose headers have no known meaning. */
  readonly unusedColumns: ReadonlyArray<string>
  readonly verdicts: ReadonlyArray<{ readonly verdict: string; readonly rows: number; readonly cards: number }>
}

/** The games of tools that know only one. */
const toolGames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "Magic: The Gathering":
      "ManaBox, Moxfield, Archidekt, Deckbox, Cardsphere, Delver Lens, Helvault, MTGGoldfish, DeckStats, TopDecked, EchoMTG, Urza's Gatherer, TappedOut, CubeCobra, Card Kingdom, MTGO, MTG Manager",
    "Flesh and Blood": "Fabrary",
    Riftbound: "Piltover Archive, Riftbound.gg",
    "Yu-Gi-Oh!": "YGOPRODeck",
    Lorcana: "Dreamborn"
  }).flatMap(([game, tools]) => tools.split(", ").map((tool) => [tool, game]))
)

const sqlOf = (name: string): string => ownText(new URL(`${name}.sql`, import.meta.url))

/** SQL that reads the rows as `stageRows` writes them. */
const tableOf = (path: string): string => {
  const types = Object.entries(stagedColumns).map(([name, type]) => `'${name}': '${type}'`)
  return `create or replace temp table own_file as
from read_csv(${sqlText(path)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n',
  columns = {${types.join(", ")}}, allow_quoted_nulls = false, parallel = false)`
}

const totals = `select count(distinct row)::integer as rows, coalesce(sum(file_quantity), 0)::bigint as quantity,
  coalesce(sum(cards), 0)::bigint as cards, count(*) filter (verdict like 'matched%')::integer as matched,
  count(*) filter (paid is not null and paid_currency is null)::integer as paid_in_unknown,
  count(*) filter (product_id is not null and finish is null)::integer as finish_unknown,
  count(*) filter (verdict like 'ambiguous%')::integer as ambiguous, count(*) filter (verdict like 'unknown%')::integer as unknown
from own_cards`

const verdicts = `select reason as outcome, count(*)::integer as rows, coalesce(sum(cards), 0)::bigint as cards
from own_cards group by all order by rows desc, outcome`

/** Matches the rows of a file with products, and writes them into the import's folder. */
const matchRows = Effect.fnUntraced(function* (
  session: Session,
  read: ReadFile & { readonly sha256: string },
  asked: Asked,
  { at, id, name }: { readonly name: string; readonly id: RunId; readonly at: string }
) {
  const folder = yield* privateFolder
  const text = join(folder, "rows.csv")
  const { parts, unread } = stageRows(read, asked.currency)
  yield* lakeStep("Write the rows", (disk) => pipeline(parts, disk.writeStream(text)))
  // Rows have no number, so DuckDB must preserve their order.
  yield* session.run("Keep the order", "set preserve_insertion_order = true")
  yield* session.set({
    own_collection: name,
    own_tool: read.tool,
    own_imported_at: at,
    own_game: asked.game,
    own_tool_game: toolGames.get(read.tool) ?? null
  })
  yield* session.run("Read the rows", tableOf(text))
  for (const step of ["words", "said", "rules", "asked", "found", "matched", "cards"])
    yield* session.run(`Match the cards (${step})`, sqlOf(step))
  const paths = yield* ownPaths
  const part = join(paths.unfinished(id), "whole")
  yield* makeFolder(part)
  const file = join(part, "cards.parquet")
  yield* session.run("Store the cards", `copy (from own_cards order by row) to ${sqlText(file)} ${parquetFormat()}`)
  yield* lakeStep("Store the file", (disk) => disk.write(join(part, "file"), read.bytes, { flush: true }))
  yield* syncToDisk(file)
  yield* replace(part, paths.import(id))
  const [total] = yield* session.rows("Count the cards", totals)
  const counted = (key: string) => Number(total?.[key] ?? 0)
  const told = yield* session.rows("Count the verdicts", verdicts)
  return {
    made: {
      id,
      file: basename(asked.file),
      sha256: read.sha256,
      tool: read.tool,
      importedAt: at,
      rows: counted("rows"),
      quantity: counted("quantity"),
      cards: counted("cards"),
      matched: counted("matched"),
      ambiguous: counted("ambiguous"),
      unknown: counted("unknown")
    } satisfies Import,
    paidInUnknown: counted("paid_in_unknown"),
    finishUnknown: counted("finish_unknown"),
    unread: unread(),
    unusedColumns: read.columns.unused,
    verdicts: told.map((row) => ({
      verdict: String(row["outcome"]),
      rows: Number(row["rows"]),
      cards: Number(row["cards"])
    }))
  }
})

/** Returns the collections after an import into the named one. */
const withImports = (
  all: ReadonlyArray<Collection>,
  name: string,
  imports: ReadonlyArray<Import>
): ReadonlyArray<Collection> => {
  const before = all.find((one) => one.name === name)?.imports ?? []
  return [...all.filter((one) => one.name !== name), { name, imports, before }].toSorted((a, b) =>
    a.name < b.name ? -1 : 1
  )
}

/**
 * Imports a file of any tool in `formats`. Every row is stored with a verdict, only in `own/`. Fails with
 * `NotACollection` or {@link AlreadyAdded}, and then changes nothing.
 */
export const importCollection = Effect.fn("importCollection")(function* (asked: Asked) {
  const read = yield* readCollectionFile(asked.file)
  const name = asked.name ?? (asked.file === "-" ? "list" : basename(asked.file).replace(/\.[^.]+$/, ""))
  const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const id = yield* newRunId
  const session = yield* openLake
  const sha256 = hash("sha256", read.bytes, "hex")
  const { import: folder, unfinished } = yield* ownPaths
  const done = yield* changeOwn(id, ({ collections }) =>
    Effect.gen(function* () {
      const present = collections.find((one) => one.name === name)?.imports ?? []
      const same = present.find((one) => one.sha256 === sha256)
      if (asked.add && same !== undefined)
        return yield* new AlreadyAdded({ file: asked.file, name, at: same.importedAt })
      const { made, ...told } = yield* matchRows(session, { ...read, sha256 }, asked, { name, id, at }).pipe(
        Effect.onError(() => Effect.ignore(removeAll("Remove the unfinished import", [folder(id), unfinished(id)])))
      )
      const next = withImports(collections, name, asked.add ? [...present, made] : [made])
      return [{ collections: next }, { made, told, replaced: asked.add ? [] : present }] as const
    })
  )
  return { ...done.made, ...done.told, name, replaced: done.replaced } satisfies Imported
}, Effect.scoped)
