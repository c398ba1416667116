import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { html, type Html } from "../../pages/html.ts"
import {
  type Column,
  counted,
  day,
  doubt,
  joinFacts,
  move,
  percent,
  price,
  productCell,
  productColumn
} from "../dataTable.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import type { Row } from "../LakeReader.ts"
import { expansionAddress, productAddress } from "../PageRequest.ts"

const amount = (row: Row, name: string): boolean => (row[name] ?? null) !== null

export const totalColumns: ReadonlyArray<Column> = [
  {
    name: "collection",
    label: "collection",
    shows: (row) =>
      html`${shownText(String(row["collection"]))}
        <small class="narrow"
          >${formatAmount(Number(row["cards"]), "card")}, ${counted(row["cards_without_price"])} without a price</small
        >`
  },
  { name: "cards", label: "cards", shape: "count", isWide: true },
  {
    name: "worth",
    label: "worth",
    shape: "price",
    shows: (row) =>
      html`${price(row["worth"], row["currency"])}
      ${
        amount(row, "value_of_any_condition") &&
        html`<small class="narrow">${price(row["value_of_any_condition"], row["currency"])} of it estimated:</small>
          <small class="narrow">price of another condition</small>`
      }
      ${amount(row, "gain") && html`<small class="narrow">gain ${move(row["gain"], row["currency"])}</small>`}`
  },
  {
    name: "value_of_any_condition",
    label: "of it estimated: price of another condition",
    shape: "price",
    isWide: true
  },
  { name: "value_of_unknown_condition", label: "beside it: condition unknown", shape: "price", isWide: true },
  {
    name: "market_value",
    label: "market value",
    shape: "price",
    shows: (row) =>
      html`${price(row["market_value"], row["currency"])}
      ${amount(row, "week_value") && html`<small>${price(row["week_value"], row["currency"])}</small> <small>on ${day(row["week_day"])}</small>`}`
  },
  { name: "cards_without_price", label: "cards without a price", shape: "count", isWide: true },
  { name: "cost", label: "paid", shape: "price", isWide: true },
  { name: "gain", label: "gain", shape: "move", isWide: true }
]

const countsIn = (row: Row): string => {
  if (row["is_in_worth"] !== true) return "not in the worth"
  return row["counts_as"] === "market value of any condition"
    ? "in the worth, estimated: price of another condition"
    : "in the worth"
}

/** How each card counts. */
export const countColumns: ReadonlyArray<Column> = [
  {
    name: "counts_as",
    label: "counts as",
    shows: (row) => html`${String(row["counts_as"])} <small>${countsIn(row)}</small>`
  },
  { name: "cards", label: "cards", shape: "count" },
  { name: "value", label: "value", shape: "price" }
]

export const cardColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      html`${
          row["product_id"] === null
            ? html`${shownText(String(row["name"] ?? ""))} <small>${shownText(String(row["verdict"]))}</small>`
            : productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"], [
                row["expansion_code"],
                row["print_number"],
                row["finish"],
                row["condition"],
                row["language"]
              ])
        }
        <small class="narrow"
          >${shownText(String(row["collection"]))}${amount(row, "remark") && `: ${shownText(String(row["remark"]))}`}</small
        >`
  },
  { name: "cards", label: "cards", shape: "count", isWide: true },
  { name: "price", label: "price each", shape: "price", isWide: true },
  {
    name: "value",
    label: "value",
    shape: "price",
    shows: (row) =>
      html`${price(row["value"], row["value_currency"])}
        <small class="narrow"
          >${counted(row["cards"])}${amount(row, "price") && ` × ${price(row["price"], row["currency"])}`}</small
        >
        ${amount(row, "gain") && html`<small class="narrow">gain ${move(row["gain"], row["value_currency"])}</small>`}`
  },
  { name: "gain", label: "gain", shape: "move", currency: "value_currency", isWide: true },
  { name: "remark", label: "remark", isWide: true },
  { name: "collection", label: "collection", isWide: true }
]

const candidateLinks = (row: Row): Html => {
  const candidates = JSON.parse(String(row["candidates"])) as ReadonlyArray<Row>
  return html`${candidates.map(
    (one) =>
      html`<div>
        ${productCell(productAddress(String(one["game_id"]), one["product_id"]), one["name"], [one["expansion_code"], one["print_number"], one["finish"], `id ${String(one["product_id"])}`])}
        <small
          >${amount(one, "market_value") ? price(one["market_value"], one["currency"]) : "no price"}${amount(one, "differs") && `, ${String(one["differs"])}`}</small
        >
      </div>`
  )}`
}

export const reviewColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "row",
    shows: (row) =>
      html`${shownText(String(row["name"] ?? ""))} <small>${shownText(String(row["says"]))}</small>
        <small>${shownText(String(row["verdict"]))}</small>`
  },
  { name: "cards", label: "cards", shape: "count", isWide: true },
  { name: "candidates", label: "can be", shows: candidateLinks },
  { name: "collection", label: "collection", isWide: true }
]

export const moverColumns: ReadonlyArray<Column> = [
  productColumn(["expansion_code", "print_number", "finish"], {
    label: "card",
    below: (row) =>
      html` <small class="narrow"
        >${joinFacts([formatAmount(Number(row["cards"]), "card"), doubt(row["verdict"])])}</small
      >`
  }),
  { name: "cards", label: "cards", shape: "count", isWide: true },
  {
    name: "new",
    label: "price",
    shape: "price",
    shows: (row) =>
      html`${price(row["new"], row["currency"])}
        <small>from ${price(row["old"], row["currency"])}<span class="wide">, ${day(row["seen_before"])}</span></small>`
  },
  { name: "percent", label: "percent", shape: "percent", isWide: true },
  {
    name: "change_of_all",
    label: "total change",
    shape: "move",
    shows: (row) =>
      html`${move(row["change_of_all"], row["currency"])} <small class="narrow">${percent(row["percent"])}</small>`
  },
  { name: "verdict", label: "trust", isWide: true }
]

export const setColumns: ReadonlyArray<Column> = [
  {
    name: "expansion",
    label: "expansion",
    link: (row) => expansionAddress(String(row["game_id"]), row["expansion_id"])
  },
  {
    name: "mine",
    label: "owned",
    shape: "count",
    shows: (row) => html`${counted(row["mine"])} <small class="narrow">of ${counted(row["cards"])}</small>`
  },
  { name: "cards", label: "cards of the set", shape: "count", isWide: true },
  {
    name: "lacking",
    label: "missing",
    shape: "count",
    link: (row) => `/own?game=${encodeURIComponent(String(row["game_id"]))}&set=${String(row["expansion_id"])}`
  },
  { name: "percent", label: "share", shape: "share" }
]

export const missingColumns: ReadonlyArray<Column> = [
  productColumn(["print_number", "finish"], { label: "card" }),
  { name: "rarity", label: "rarity" },
  { name: "market_value", label: "price", shape: "price" }
]
