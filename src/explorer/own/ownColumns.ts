import { amountOf } from "../../diff/amountOf.ts"
import { html } from "../../pages/html.ts"
import type { Column } from "../dataTable.ts"
import { day, move, percent, price } from "../figures.ts"
import { expansionAddress, productAddress } from "../PageRequest.ts"
import { productCell } from "../productCell.ts"

export const totalColumns: ReadonlyArray<Column> = [
  { name: "collection", label: "collection" },
  { name: "cards", label: "cards", shape: "count" },
  { name: "value", label: "worth", shape: "price" },
  { name: "value_of_any_condition", label: "more, by prices of any condition", shape: "price" },
  { name: "cards_without_price", label: "cards without a price", shape: "count" },
  { name: "cost", label: "paid", shape: "price" },
  { name: "gain", label: "gain", shape: "move" }
]

export const cardColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      row["product_id"] === null
        ? html`${String(row["name"] ?? "")} <small>${String(row["verdict"])}</small>`
        : productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"], [
            row["expansion_code"],
            row["print_number"],
            row["finish"],
            row["condition"],
            row["language"]
          ])
  },
  { name: "cards", label: "cards", shape: "count" },
  { name: "price", label: "price of one", shape: "price" },
  { name: "value", label: "worth", shape: "price", currency: "value_currency" },
  { name: "gain", label: "gain", shape: "move", currency: "value_currency" },
  { name: "remark", label: "remark" },
  { name: "collection", label: "collection" }
]

export const moverColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"], [
        row["expansion_code"],
        row["print_number"],
        row["finish"]
      ])
  },
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
    label: "for all",
    shape: "move",
    shows: (row) =>
      html`${move(row["change_of_all"], row["currency"])}
        <small class="narrow">${amountOf(Number(row["cards"]), "card")}, ${percent(row["percent"])}</small>`
  },
  { name: "flags", label: "flags", isWide: true }
]

export const setColumns: ReadonlyArray<Column> = [
  {
    name: "expansion",
    label: "expansion",
    link: (row) => expansionAddress(String(row["game_id"]), row["expansion_id"])
  },
  { name: "mine", label: "cards I have", shape: "count" },
  { name: "cards", label: "of", shape: "count" },
  {
    name: "lacking",
    label: "I lack",
    shape: "count",
    link: (row) => `/own?game=${encodeURIComponent(String(row["game_id"]))}&set=${String(row["expansion_id"])}`
  },
  { name: "percent", label: "share", shape: "share" }
]

export const missingColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"], [
        row["print_number"],
        row["finish"]
      ])
  },
  { name: "rarity", label: "rarity" },
  { name: "market_value", label: "price", shape: "price" }
]
