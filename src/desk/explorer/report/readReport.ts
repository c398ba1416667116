import { Effect } from "effect"
import { ownSqlIfWhole } from "../../own/Own.ts"
import { watchHits } from "../../own/Watchlist.ts"
import { openLake } from "../../../store/lake/publish/openLake.ts"
import { adviceSentence } from "../../../store/diff/heldAdvice.ts"
import {
  type CellShape,
  type Document,
  type DocumentSection,
  documentTable,
  type Sentence
} from "../../pages/document.ts"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { between, counted, day, doubt, joinFacts, move, percent, price } from "../dataTable.ts"
import { heldSince, newestRuns } from "../morning/alarms.ts"
import { exactRows } from "../../../store/lake/duckdb/Lake.ts"
import type { LakeView, Row } from "../LakeReader.ts"
import { type Moved, readMoves, ways } from "../morning/news.ts"
import { queryNamed } from "../queryNamed.ts"

const text = (value: Row[string] | undefined): string => (value === null || value === undefined ? "" : String(value))

const describeCard = (row: Row): string =>
  joinFacts([row["name"], row["expansion_code"], row["print_number"], row["finish"]])

type ReportColumn = readonly [label: string, shape: CellShape, cell: (row: Row) => string]

const priceColumn = (head: string, name: string): ReportColumn => [
  head,
  "figure",
  (row) => price(row[name], row["currency"])
]
const moveColumn = (head: string, name: string): ReportColumn => [
  head,
  "signed",
  (row) => move(row[name], row["currency"])
]
const countColumn = (head: string, name = head): ReportColumn => [head, "figure", (row) => counted(row[name])]
const card: ReportColumn = ["card", "name", describeCard]
const moved: ReportColumn = ["percent", "signed", (row) => percent(row["percent"])]
const trust: ReportColumn = ["trust", "text", (row) => doubt(row["verdict"])]
const nowAndBefore = [priceColumn("now", "new"), priceColumn("before", "old")]

/** The section of a game: its last reading, the changes of its last publication, its moves. */
const gameSection = (game: Row, runs: ReadonlyArray<Row>, { causes, moves: all }: Moved): DocumentSection => {
  const gameId = text(game["game_id"])
  const made = runs.find((run) => run["game_id"] === gameId && run["run_id"] === game["snapshot"])
  const changed =
    (made?.["added"] ?? null) === null
      ? []
      : [
          `${counted(made?.["added"])} added, ${counted(made?.["modified"])} edited, ${counted(made?.["removed"])} removed, ${counted(made?.["repriced"])} repriced`
        ]
  const moves = all.filter((row) => row["game_id"] === gameId)
  const why = causes.find((row) => row["game_id"] === gameId)?.["says"]
  const blocks = [...Map.groupBy(moves, (row) => text(row["currency"]))]
  const tables = blocks.flatMap(([currency, block]) =>
    ways.flatMap(([way, title]) => {
      const rows = block.filter((row) => row["way"] === way)
      const days = between(rows[0]?.["seen_before"], rows[0]?.["seen_at"])
      const caption = `${title}, ${blocks.length > 1 ? `${currency}, ` : ""}${days}`
      const columns = [card, ...nowAndBefore, moveColumn("change", "change"), moved, trust]
      return rows.length === 0 ? [] : [documentTable(caption, columns, rows)]
    })
  )
  return {
    title: text(game["name"]),
    says: [
      `Read on ${day(game["extracted_at"])}: ${counted(game["products"])} products, ${counted(game["prices"])} prices. ${changed.join("")}`.trim(),
      ...blocks.map(
        ([currency, [first]]) =>
          `${currency}: ${formatAmount(Number(first?.["moves"]), "price")} moved, ${counted(first?.["doubted"])} of them doubted`
      ),
      ...(moves.length === 0 ? [`No price changes: ${text(why) || "no prices moved"}`] : [])
    ],
    tables
  }
}

/** The held or failed games, each with the command that resolves it. */
const waiting = Effect.fnUntraced(function* (games: ReadonlyArray<Row>, runs: ReadonlyArray<Row>) {
  const says: Array<Sentence> = []
  for (const game of games) {
    const gameId = text(game["game_id"])
    for (const { lines } of yield* heldSince(gameId, text(game["snapshot"]))) {
      const [what, ...more] = lines.map(adviceSentence)
      says.push([`${text(game["name"])}: held, `, ...(what ?? [])], ...more)
    }
    const last = runs.find((run) => run["game_id"] === gameId && run["kind"] === "nightly")
    if (last?.["verdict"] === "failed" || last?.["verdict"] === "missing")
      says.push(`${text(game["name"])}: ${text(last["verdict"])}, ${text(last["reason"])}`)
  }
  return says.length === 0 ? [] : [{ title: "Needs attention", says, tables: [] } satisfies DocumentSection]
})

/** The report has no choice of currency. */
const currency = "EUR"

const ownSections = Effect.fnUntraced(function* (rows: LakeView["rows"], isOpen: boolean) {
  if (!isOpen) return []
  const totals = yield* rows("Add up the collections", queryNamed("own/totals"), { collection: null, currency })
  const week = yield* rows("Look at a week ago", queryNamed("own/week"), { currency })
  const moves = yield* rows("List what moved", "from my_movers() order by place, currency limit 10")
  const before = (row: Row) => week.find(({ collection }) => collection === row["collection"])
  const worth: ReadonlyArray<ReportColumn> = [
    ["collection", "name", (row) => text(row["collection"])],
    countColumn("cards"),
    priceColumn("worth", "worth"),
    priceColumn("of it estimated: price of another condition", "value_of_any_condition"),
    priceColumn("beside it: condition unknown", "value_of_unknown_condition"),
    priceColumn("market value now", "market_value"),
    ["market value a week ago", "figure", (row) => price(before(row)?.["value"], row["currency"])],
    countColumn("without a price", "cards_without_price")
  ]
  const moving = [
    card,
    countColumn("cards"),
    ...nowAndBefore,
    moved,
    moveColumn("total change", "change_of_all"),
    trust
  ]
  const tables = [
    documentTable("Value of each collection", worth, totals),
    ...(moves.length === 0 ? [] : [documentTable("Price changes in seven days", moving, moves)])
  ]
  return [{ title: "My cards", says: [], tables } satisfies DocumentSection]
})

const watchSections = Effect.map(watchHits(), (prices): ReadonlyArray<DocumentSection> => {
  const hits = prices.filter((row) => row["hit"] !== "")
  if (prices.length === 0) return []
  const table = documentTable(
    "Alerts",
    [
      card,
      priceColumn("price", "price"),
      moved,
      ["limit", "text", (row) => `${text(row["hit"])}${row["is_new"] === true ? " (new)" : ""}`],
      ["trust", "text", (row) => text(row["flags"])]
    ],
    hits
  )
  return [
    {
      title: "Watched prices",
      says: hits.length === 0 ? ["No watched price has reached a limit"] : [],
      tables: hits.length === 0 ? [] : [table]
    }
  ]
}).pipe(
  Effect.catchTag("FileDamaged", ({ message }) =>
    Effect.succeed([{ title: "Watched prices", says: [message], tables: [] }])
  )
)

/** Reads the morning report from the lake and the reader's cards. */
export const readReport = Effect.fn("readReport")(function* () {
  const hits = yield* watchSections
  const session = yield* openLake
  const rows = exactRows(session.connection)
  const own = yield* ownSqlIfWhole
  if (own !== null) yield* session.run("Open your own cards", own)
  const games = yield* rows("Read the games", queryNamed("games"))
  const runs = yield* newestRuns(
    { rows },
    games.map(({ snapshot }) => text(snapshot))
  )
  const movers = yield* readMoves({ kept: rows }, games)
  const waits = yield* waiting(games, runs)
  const newest =
    games
      .map((game) => day(game["extracted_at"]))
      .toSorted()
      .at(-1) ?? ""
  const says = `${formatAmount(games.length, "game")}${waits.length === 0 ? "; nothing needs attention" : ""}`
  return {
    kicker: "Cardlake",
    title: `Report of ${newest}`,
    says,
    intro: [{ sentence: `${says}.` }],
    sections: [
      ...waits,
      ...hits,
      ...(yield* ownSections(rows, own !== null)),
      ...games.map((game) => gameSection(game, runs, movers))
    ]
  } satisfies Document & { readonly says: string }
}, Effect.scoped)
