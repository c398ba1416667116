import { type PageRequest, expansionAddress, gameAddress, productAddress } from "../PageRequest.ts"
import { type Column, counted, joinFacts, price } from "../dataTable.ts"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { html, type Html } from "../../pages/html.ts"
import { pictureMark } from "../pageMarks.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import type { Row } from "../LakeReader.ts"

/** The expansion's code and the number, the usual name of a printing: MH2 138. */
export const describePrinting = (row: Row): string =>
  [row["expansion_code"], row["print_number"]].filter((part) => part !== null && part !== undefined).join(" ")

/** The kind of a product in words: booster_box becomes booster box. */
export const describeKind = (row: Row): string => String(row["kind"] ?? "").replaceAll("_", " ")

export const foundAddress = (row: Row): string => productAddress(String(row["game_id"]), row["product_id"])

const gameOfRow = (games: PageRequest["games"], row: Row): string =>
  games.find(({ gameId }) => gameId === row["game_id"])?.name ?? String(row["game_id"])

/** The column with the game's name. */
export const gameColumn = (games: PageRequest["games"]): Column => ({
  name: "game_id",
  label: "game",
  isWide: true,
  shows: (row) =>
    html`<a class="whole" href="${gameAddress(String(row["game_id"]), "expansions")}">${gameOfRow(games, row)}</a>`
})

/** The other printings of a row's name that were found, in one line that opens; the row itself is the main printing. */
export interface Printings {
  readonly others: ReadonlyMap<string, ReadonlyArray<Row>>
  /** The address of a list of all of them. */
  readonly allOf: (row: Row) => string
}

/** The game and the name of a product. Printings of a name come one after the other. */
export const nameKey = (row: Row): string => `${String(row["game_id"])} ${String(row["name_key"])}`

const otherPrintings = ({ allOf, others }: Printings, row: Row): Html | false => {
  const all = Number(row["printings"]) - 1
  const folded = others.get(nameKey(row)) ?? []
  return (
    folded.length > 0 &&
    html`<details class="printings">
      <summary>${formatAmount(all, "more printing")}</summary>
      <ul>
        ${folded.map(
          (one) =>
            html`<li>
              ${pictureMark(foundAddress(one))}<a href="${foundAddress(one)}">${distinguish(one)}</a>
              ${price(one["market_value"], one["currency"])}
            </li>`
        )}
        ${all > folded.length && html`<li><a href="${allOf(row)}">All ${counted(all + 1)}</a></li>`}
      </ul>
    </details>`
  )
}

/** What distinguishes a printing from others of its name. A number without a name of its set would not. */
const distinguish = (row: Row): string =>
  joinFacts([
    row["print_number"] === null ? row["expansion_name"] : describePrinting(row),
    row["variant"],
    row["finish"]
  ]) || `id ${String(row["product_id"])}`

/** The columns of found products. Columns without values are left out, and so is the game if there is only one. */
export const foundColumns = (
  { game, games }: PageRequest,
  rows: ReadonlyArray<Row>,
  printings: Printings
): ReadonlyArray<Column> => {
  const ofGame = game === null && games.length > 1 ? [gameColumn(games)] : []
  return [
    nameColumn(ofGame.length === 0 ? null : games, printings),
    ...columns.filter(({ name }) => rows.some((row) => (row[name] ?? null) !== null)),
    ...(rows.some((row) => row["kind"] !== "card") ? [kindColumn] : []),
    ...ofGame,
    { name: "product_id", label: "id", shape: "id", isWide: true }
  ]
}

const kindColumn: Column = { name: "kind", label: "kind", shows: describeKind, isWide: true }

/** On a phone, a line below the name shows the printing in place of columns. */
const nameColumn = (games: PageRequest["games"] | null, printings: Printings): Column => ({
  name: "name",
  label: "name",
  shows: (row) => {
    const facts = [describePrinting(row), row["variant"], row["finish"], games === null ? null : gameOfRow(games, row)]
    return html`${pictureMark(foundAddress(row))}<a href="${foundAddress(row)}"
        >${shownText(String(row["name"]), 200)}</a
      >
      ${row["other_name"] !== null && html`<span class="also">${shownText(String(row["other_name"]), 200)}</span>`}
      <small class="narrow">${joinFacts(facts)}</small>${otherPrintings(printings, row)}`
  }
})

const columns: ReadonlyArray<Column> = [
  { name: "missing", label: "without" },
  { name: "market_value", label: "market value", shape: "price" },
  { name: "percent", label: "7 d", shape: "percent" },
  {
    name: "expansion_code",
    label: "number",
    isWide: true,
    shows: (row) => html`<span class="whole">${shownText(describePrinting(row), 60)}</span>`
  },
  {
    name: "expansion_name",
    label: "set",
    isWide: true,
    link: (row) => (row["expansion_id"] === null ? null : expansionAddress(String(row["game_id"]), row["expansion_id"]))
  },
  { name: "variant", label: "variant", isWide: true },
  { name: "finish", label: "finish", isWide: true },
  { name: "rarity", label: "rarity", isWide: true }
]
