import { Effect } from "effect"
import { readConfirmedIds } from "../../own/ConfirmedIds.ts"
import { queryNamed } from "../queryNamed.ts"
import { sourcePage, sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { html, type Html } from "../../pages/html.ts"
import { type Column, counted, price, productCell, sourceColumn } from "../dataTable.ts"
import type { Row, SourceNames } from "../LakeReader.ts"
import { productAddress } from "../PageRequest.ts"

/** The kinds of findings, ordered by how much a wrong price may cost: the meaning of each, and what to do about one. */
export const findingKinds = {
  shared: {
    means: "Several products share an id: products of different names, or of one name in the same finish.",
    todo: "Look up the id at the price source. It belongs to the product whose set and number the source shows. Do not use the prices of the others."
  },
  moved: {
    means:
      "Another product, which still exists, had the id before: a product of another name, or of the same name in the same finish.",
    todo: "Look up the id at the price source. The product that it does not belong to had wrong prices for a time, so do not compare prices of either across that day."
  },
  doubled: {
    means: "A product has several ids for one finish.",
    todo: "Look up all ids at the price source. The feed does not say which of them its price belongs to."
  },
  missing: {
    means: "A finish has no id, but other finishes of the product do.",
    todo: "The price source may not sell this finish, or the feed has not mapped it yet. Use prices of the other source or of listings."
  },
  apart: {
    means: "The prices of the two sources differ by a factor of more than eight, and one is at least 5.",
    todo: "One id probably belongs to another printing, or one price comes from a single seller. Look up both before you use either price."
  }
} as const

export const findingKindNames = Object.keys(findingKinds) as ReadonlyArray<keyof typeof findingKinds>

/** The kind of findings that a person has confirmed as right. */
export const notWrong = "not wrong"

/** Returns a query of findings over `judged`, and the parameter that it needs besides its own. */
export const judgedQuery = (name: string): string =>
  `with judged as (${queryNamed("audit/judged")})\n${queryNamed(name)}`

/** Returns the parameter of {@link judgedQuery}: the findings that a person has confirmed. */
export const readConfirmed = Effect.map(readConfirmedIds, (confirmed) => ({ confirmed: JSON.stringify(confirmed) }))

type Text = string | null

/** A product of a finding with the feed's ids and prices of its finishes, as queries/audit/products.sql returns it. */
interface FindingProduct {
  readonly product: {
    readonly id: string
    readonly name: string
    readonly set: Text
    readonly number: Text
    readonly variant: Text
    /** The day on which the product stopped having the id; null = it still has it. */
    readonly until: Text
  }
  readonly feed: ReadonlyArray<FeedPrice> | null
}

/** An id of a finish (null = none) and the feed's price for it. */
interface FeedPrice {
  readonly by: string
  readonly finish: Text
  readonly id: Text
  readonly value: Text
  readonly currency: Text
}

/** The columns of findings. Products come first, because a phone shows only the first columns. */
export const findingColumns = (gameId: string, sources: SourceNames): ReadonlyArray<Column> => [
  { name: "name", label: "products", shows: (row) => listProducts(gameId, sources, row) },
  { name: "products", label: "problem", shows: describeProblem },
  sourceColumn(sources, "system"),
  {
    name: "external_id",
    label: "id",
    shape: "code",
    link: (row) =>
      row["external_id"] === null
        ? null
        : sourcePage(sources.urls.get(String(row["system"])) ?? "", gameId, String(row["external_id"]))
  },
  { name: "kind", label: "finding", sortedBy: [`list_position(['${findingKindNames.join("', '")}'], kind)`] }
]

const parseProducts = (row: Row) => JSON.parse(String(row["listed"])) as ReadonlyArray<FindingProduct>

const listProducts = (gameId: string, sources: SourceNames, row: Row): Html => {
  const listed = parseProducts(row)
  const more = Number(row["products"]) - listed.length
  return html`${listed.map(({ feed, product }) =>
    productCell(productAddress(gameId, product.id), product.name, [
      product.set,
      product.number,
      product.variant,
      product.until === null ? "" : `had it until ${product.until}`,
      ...(feed ?? []).map((one) => describePrice(sources, row, one))
    ])
  )}${more > 0 && html`<small>and ${counted(more)} more</small>`}`
}

/** Returns a text such as "Foil 301, €3.00"; it has the id only if that differs from the row's. */
const describePrice = ({ titles }: SourceNames, row: Row, { by, currency, finish, id, value }: FeedPrice): string => {
  const of = row["kind"] === "apart" ? sourceTitle(titles, by) : (finish ?? "")
  const known = id === null ? (row["kind"] === "missing" ? "no id" : "") : id === row["external_id"] ? "" : `id ${id}`
  const parts = [known, value === null ? "" : price(value, currency)].filter((part) => part !== "").join(", ")
  return [of, parts].filter((part) => part !== "").join(" ")
}

const describeProblem = (row: Row): string => {
  const [products, names] = [counted(row["products"]), Number(row["names"])]
  const listed = parseProducts(row)
  switch (row["kind"]) {
    case "shared":
      return `${products} products of ${names === 1 ? "one name" : `${counted(names)} names`} share an id`
    case "moved":
      return `the id moved to another product on ${listed.findLast(({ product }) => product.until !== null)?.product.until ?? "an earlier night"}`
    case "doubled":
      return `${counted(row["findings"])} ids for ${String(row["finish"])}`
    case "missing":
      return `no id for ${(listed[0]?.feed ?? [])
        .filter(({ id }) => id === null)
        .map(({ finish }) => finish)
        .join(", ")}`
    default:
      return `prices of ${String(row["finish"])} differ greatly`
  }
}
