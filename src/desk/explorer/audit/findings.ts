import { sourcePage, titleOf } from "../../../feed/contract/sourceTitles.ts"
import { html, type Html } from "../../pages/html.ts"
import { type Column, counted, price, productCell, sourceColumn } from "../dataTable.ts"
import type { Row, SourceNames } from "../LakeReader.ts"
import { productAddress } from "../PageRequest.ts"

/** The kinds of findings, ordered by how much a wrong price may cost: the meaning of each, and what to do about one. */
export const findingKinds = {
  shared: {
    means: "Several products have one id: of different names, or of one name in the same finish.",
    todo: "Look the id up at the source. It belongs to the product whose set and number the source has; the prices of the others are not theirs, so do not price by them."
  },
  moved: {
    means:
      "Another product, which is still there, had the id before: of another name, or of the same name in the same finish.",
    todo: "Look the id up at the source. Whichever of the two it belongs to, the other had its prices for a time: compare neither’s prices across that day."
  },
  doubled: {
    means: "A product has several ids of one finish.",
    todo: "Look all of them up at the source. The feed does not say which of them its price is of."
  },
  missing: {
    means: "A finish has no id, though the product’s other finishes have one.",
    todo: "The source may not sell it, or the feed has not mapped it yet. Until it has, price the finish by the other source or by listings."
  },
  apart: {
    means: "The figures of the two sources are more than eight times apart, and one is at least 5.",
    todo: "One id is probably of another printing, or one price of a single seller. Look both up before you price by either."
  }
} as const

export const findingKindNames = Object.keys(findingKinds) as ReadonlyArray<keyof typeof findingKinds>

type Text = string | null

/** A product of a finding with the feed's ids and prices of its finishes, as queries/audit/told.sql returns it. */
interface Told {
  readonly product: {
    readonly id: string
    readonly name: string
    readonly set: Text
    readonly number: Text
    readonly variant: Text
    /** The day on which the product stopped having the id; null = it still has it. */
    readonly until: Text
  }
  readonly said: ReadonlyArray<Said> | null
}

/** An id of a finish (null = none) and the feed's price for it. */
interface Said {
  readonly by: string
  readonly finish: Text
  readonly id: Text
  readonly value: Text
  readonly currency: Text
}

/** The columns of findings. Products come first, because a phone shows only the first columns. */
export const findingColumns = (gameId: string, sources: SourceNames): ReadonlyArray<Column> => [
  { name: "name", label: "products", shows: (row) => productsOf(gameId, sources, row) },
  { name: "products", label: "what is wrong", shows: wrongOf },
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

const toldOf = (row: Row) => JSON.parse(String(row["told"])) as ReadonlyArray<Told>

const productsOf = (gameId: string, sources: SourceNames, row: Row): Html => {
  const told = toldOf(row)
  const more = Number(row["products"]) - told.length
  return html`${told.map(({ product, said }) =>
    productCell(productAddress(gameId, product.id), product.name, [
      product.set,
      product.number,
      product.variant,
      product.until === null ? "" : `had it until ${product.until}`,
      ...(said ?? []).map((one) => saidOf(sources, row, one))
    ])
  )}${more > 0 && html`<small>and ${counted(more)} more</small>`}`
}

/** Returns a text such as "Foil 301, €3.00"; it has the id only if that differs from the row's. */
const saidOf = ({ titles }: SourceNames, row: Row, { by, currency, finish, id, value }: Said): string => {
  const of = row["kind"] === "apart" ? titleOf(titles, by) : (finish ?? "")
  const known = id === null ? (row["kind"] === "missing" ? "no id" : "") : id === row["external_id"] ? "" : `id ${id}`
  const parts = [known, value === null ? "" : price(value, currency)].filter((part) => part !== "").join(", ")
  return [of, parts].filter((part) => part !== "").join(" ")
}

const wrongOf = (row: Row): string => {
  const [products, names] = [counted(row["products"]), Number(row["names"])]
  const told = toldOf(row)
  switch (row["kind"]) {
    case "shared":
      return `one id on ${products} products of ${names === 1 ? "one name" : `${counted(names)} names`}`
    case "moved":
      return `the id went from one product to another on ${told.findLast(({ product }) => product.until !== null)?.product.until ?? "an earlier night"}`
    case "doubled":
      return `${counted(row["findings"])} ids of ${String(row["finish"])}`
    case "missing":
      return `no id of ${(told[0]?.said ?? [])
        .filter(({ id }) => id === null)
        .map(({ finish }) => finish)
        .join(", ")}`
    default:
      return `prices of ${String(row["finish"])} are far apart`
  }
}
