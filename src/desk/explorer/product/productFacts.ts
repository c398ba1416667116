import { html, type Html, type Shown } from "../../pages/html.ts"
import { factList } from "../../pages/tableBox.ts"
import { day } from "../dataTable.ts"
import { languageName } from "../languageName.ts"
import type { Row } from "../LakeReader.ts"
import { readable, wordsOf } from "../../notes/readable.ts"

/** Attributes that a page shows. */
const maxAttributes = 60

const list = (value: Row[string] | undefined, name = (one: string) => one): string =>
  Array.isArray(value) ? value.map((one) => name(String(one))).join(", ") : ""

/** What a product is, in words. */
export const productFacts = (found: Row, translations: ReadonlyArray<Row>): Html =>
  factList([
    ["type", kindOf(found)],
    ["finishes", list(found["finishes"])],
    ["languages", list(found["languages"], languageName)],
    ["released", day(found["release_date"])],
    ...attributesOf(found),
    ...translations.map((row) => [`in ${languageName(String(row["language"]))}`, String(row["name"])] as const)
  ])

/** What it is called by machines: ids, slugs, addresses, and keys that the contract does not know. */
export const productKeys = (found: Row): Html =>
  factList([
    ["id", code(found["product_id"])],
    ["slug", code(found["name_slug"])],
    ["slug of the changelog", code(found["slug"])],
    ["image", code(found["image_url"])],
    ["image of the back", code(found["image_back_url"])],
    ["beyond the contract", code(found["extra"])]
  ])

/** Card, or the kind of sealed product. */
export const kindOf = (found: Row): string => wordsOf(String(found["product_category"] ?? found["product_type"] ?? ""))

const attributesOf = (found: Row): ReadonlyArray<readonly [label: string, value: Shown]> => {
  const text = found["attributes"]
  if (typeof text !== "string") return []
  const released = day(found["release_date"])
  return Object.entries(JSON.parse(text) as Record<string, Row[string]>)
    .map(([key, value]) => [wordsOf(key), readable(value ?? null)] as const)
    .filter(([key, value]) => value !== "" && value !== "none" && !(key === "release date" && value === released))
    .slice(0, maxAttributes)
}

const code = (value: Row[string] | undefined): Html | "" =>
  value === null || value === undefined
    ? ""
    : html`<code>${typeof value === "object" ? JSON.stringify(value) : String(value)}</code>`
