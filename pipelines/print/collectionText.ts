import { inQuotes } from "../../src/feed/contract/shellWord.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { price } from "../../src/desk/explorer/dataTable.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import type { Imported, Result } from "../../src/desk/own/importCollection.ts"
import type { Collection } from "../../src/desk/own/Own.ts"
import type { answerReview, Open } from "../../src/desk/own/reviewCollection.ts"
import { csvLine, spreadsheetCell, spreadsheetHead } from "../../src/store/lake/duckdb/writeSpreadsheet.ts"
import type { Effect } from "effect"

/** Values that an import does not understand: what they are, and what becomes of their rows. */
const unreadWords: Readonly<Record<string, readonly [what: string, then: string]>> = {
  condition: ["an unknown condition", "It does not count as near mint"],
  language: ["an unknown language", "It does not count as English"],
  finish: ["an unclear finish", "It has no price"],
  paid: ["an unreadable price paid", "No price is stored"],
  currency: ["an unknown currency", "The price paid is not counted"],
  quantity: ["an unreadable quantity", "No card is counted"],
  bytes: ["characters that cannot be read, shown as �", "Save the file as CSV UTF-8"]
}

const unreadText = ({ rows, values, what }: Result["unread"][number]): string => {
  const [reason, then] = unreadWords[what] ?? [`an unreadable value of ${what}`, "It counts as yes"]
  const some = values.filter((value) => value !== "").join(", ")
  return `${formatAmount(rows, "row")} with ${reason}${some === "" ? "" : `: ${some}${values.length < rows ? ", …" : ""}`}. ${then}`
}

/** Sums have more decimals than their currency, because conversions are exact to four. */
const cents = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false })
const sum = (amount: string, currency: string): string =>
  price(cents.format(amount as Intl.StringNumericLiteral), currency)

/** Joins the lines that there are. */
const joinLines = (...lines: ReadonlyArray<string | false>): string => lines.filter((line) => line !== false).join("\n")

/** Describes what a collection is worth, with the parts beside it. */
const worthText = ({ conditionUnknown, currency, estimated, leftOut, worth }: Result["worth"]): string => {
  const parts = [
    `Worth: ${sum(worth, currency)}`,
    Number(estimated) !== 0 && `of this ${sum(estimated, currency)} estimated (price of another condition)`,
    Number(conditionUnknown) !== 0 &&
      `not included: ${sum(conditionUnknown, currency)} of cards in an unknown condition`
  ]
  const others = leftOut.map(({ cards, countsAs }) => `${countsAs} ${cards}`).join(", ")
  return joinLines(
    parts.filter((part) => part !== false).join("; "),
    others !== "" && `Cards that are not in the worth: ${others}`
  )
}

/** Says what is open in a collection, what was not understood, and what it is worth. */
const resultText = ({ finishUnknown, name, open, paidInUnknown, unread, worth }: Result): string =>
  joinLines(
    open > 0 &&
      `${formatAmount(open, "row")} without a product. List and answer: cardlake collection review ${inQuotes(name)}`,
    ...unread.map(unreadText),
    finishUnknown > 0 &&
      `${formatAmount(finishUnknown, "row")} matched, but the product is not known in that finish, so it has no price`,
    paidInUnknown > 0 &&
      `${formatAmount(paidInUnknown, "row")} with a price paid in an unknown currency: import again with --currency EUR, or another`,
    worthText(worth)
  )

/** Describes the imported rows, and how to list unmatched ones. */
export const importedText = (made: Imported): string => {
  const { cards, name, quantity, replaced, rows, titleLines, tool, unusedColumns, verdicts } = made
  const counted =
    cards === quantity ? formatAmount(cards, "card") : `a quantity of ${quantity}, ${formatAmount(cards, "card")}`
  return joinLines(
    `${formatAmount(rows, "row")} of ${tool}, ${counted}, in collection ${name}${replaced.length === 0 ? "" : ", replacing its earlier content"}`,
    "",
    textTable(
      ["verdict", "rows", "cards"],
      verdicts.map((one) => [one.verdict, `${one.rows}`, `${one.cards}`])
    ),
    "",
    titleLines.length > 0 && `Lines above the header that were not read: ${titleLines.join("; ")}`,
    tool === "a table" && unusedColumns.length > 0 && `Columns that were not read: ${unusedColumns.join(", ")}`,
    verdicts.some(({ verdict }) => verdict.endsWith("with a difference")) &&
      `What differs: cardlake query "select collection, name, verdict from collection_cards where reason like '%difference'"`,
    resultText(made),
    replaced.length > 0 && `Undo: cardlake collection restore ${inQuotes(name)}`,
    `Card by card: cardlake query "from collection_value()"`
  )
}

/** Describes a product that a row can be: its finish, its price in it, and what the row says otherwise. */
export const candidateText = (one: Open["candidates"][number]): string => {
  const names = [one.product_id, one.name, one.expansion_code, one.print_number].filter((word) => word !== null)
  const worth = one.market_value === null ? "no price" : price(one.market_value, one.currency)
  return `${names.join(" ")}, ${one.finish === null ? "" : `${one.finish}: `}${worth}${(one.differs ?? "") === "" ? "" : ` (${one.differs})`}`
}

/** Lists what is open in a collection by reason, and how to answer it. */
export const reviewText = (name: string, open: ReadonlyArray<Open>): string => {
  if (open.length === 0) return `Every row of ${name} is matched`
  const rowText = (one: Open): string => {
    const says = [one.name, one.set_code ?? one.set_name, one.number, one.finish_said, one.ids]
    const card = says.filter((word) => word !== null && word !== "").join(" ")
    const row = `  ${card} (${formatAmount(one.cards, "card")}): ${one.verdict}`
    return [row, ...one.candidates.map((candidate) => `    ${candidateText(candidate)}`)].join("\n")
  }
  const sections = Map.groupBy(open, ({ reason }) => reason)
  return [
    ...[...sections].map(([reason, rows]) => `${reason}:\n${rows.map(rowText).join("\n")}\n`),
    `Answer them: cardlake collection review ${inQuotes(name)} --csv > open.csv, fill product_id, and import open.csv`
  ].join("\n")
}

/** The columns of a review that describe its rows. */
const described = [
  ...(["reason", "name", "set_code", "set_name", "number"] as const),
  ...(["ids", "finish_said", "language", "rows", "cards"] as const)
]

/** Returns the open rows as CSV for a spreadsheet, with an empty column `product_id` for answers. */
export const reviewCsv = (open: ReadonlyArray<Open>): string => {
  const places = [0, 1, 2, 3, 4]
  const head = [...described, ...places.map((place) => `candidate_${place + 1}`), "game_id", "product_id", "answer_key"]
  const lines = open.map((one) => {
    const [game = null, ...others] = new Set(one.candidates.map(({ game_id }) => game_id))
    const candidates = places.map((place) => one.candidates[place]).map((each) => each && candidateText(each))
    const cells = [...described.map((name) => one[name]), ...candidates]
    const shown = cells.map((cell) => (cell === null || cell === undefined ? null : spreadsheetCell(String(cell))))
    return csvLine([...shown, others.length === 0 ? game : null, null, one.answer_key])
  })
  return spreadsheetHead(head) + lines.join("")
}

/** Describes what answers changed. */
export const answeredText = (made: Effect.Success<ReturnType<typeof answerReview>>): string => {
  const { answered, collections, none, results, takenBack, unused } = made
  const pronoun = (count: number) => (count === 1 ? "it" : "them")
  return joinLines(
    answered > 0 && `${formatAmount(answered, "answer")} stored; later imports use ${pronoun(answered)}, too`,
    takenBack > 0 && `${formatAmount(takenBack, "answer")} taken back: the rows are matched as if nobody had answered`,
    none > 0 &&
      `${formatAmount(none, "answer says", "answers say")} that no product of this lake is meant: later imports use ${pronoun(none)}, too`,
    unused > 0 &&
      `${formatAmount(unused, "of them fits", "of them fit")} no row of your collections: an answer_key was changed, or a collection is removed`,
    answered + takenBack + none === 0 && "No line of the review has a product_id",
    collections.length > 0 && `\n${collectionsText(collections)}`,
    ...results.map((one) => `\n${results.length > 1 ? `${one.name}:\n` : ""}${resultText(one)}`)
  )
}

/** Returns a phrase that lists the copied collections. */
export const collectionsIn = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "no collection, as there was none"
    : `${formatAmount(names.length, "collection")} (${names.join(", ")})`

/** Lists the collections, one line per file. */
export const collectionsText = (collections: ReadonlyArray<Collection>): string =>
  collections.length === 0
    ? "No collection yet. Import one with: cardlake collection import FILE"
    : textTable(
        ["collection", "file", "tool", "imported", "rows", "cards", "matched", "not matched"],
        collections.flatMap(({ imports, name }) =>
          imports.map((one) => [
            name,
            one.file,
            one.tool,
            one.importedAt.slice(0, 16),
            `${one.rows}`,
            `${one.cards}`,
            `${one.matched}`,
            `${one.ambiguous + one.unknown}`
          ])
        )
      )
