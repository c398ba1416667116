import { html, type Html, type Shown, factList } from "../../pages/html.ts"
import { day } from "../dataTable.ts"
import { languageName } from "./productColumns.ts"
import type { Row, SourceNames } from "../LakeReader.ts"
import { readable, splitWords } from "../../notes/changedWords.ts"
import { sourcePage, sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { productAddress } from "../PageRequest.ts"

const maxAttributes = 60

const list = (value: Row[string] | undefined, name = (one: string) => one): string =>
  Array.isArray(value) ? value.map((one) => name(String(one))).join(", ") : ""

export const productFacts = (found: Row, translations: ReadonlyArray<Row>): Html =>
  factList([
    ["type", describeKind(found)],
    ["finishes", list(found["finishes"])],
    ["languages", list(found["languages"], languageName)],
    ["released", day(found["release_date"])],
    ...listAttributes(found),
    ...translations.map((row) => [`in ${languageName(String(row["language"]))}`, String(row["name"])] as const)
  ])

/** Identifiers: ids, slugs, addresses, and keys that the contract does not know. */
export const productKeys = (found: Row): Html =>
  factList([
    ["id", code(found["product_id"])],
    ["slug", code(found["name_slug"])],
    ["slug in the changelog", code(found["slug"])],
    ["image", code(found["image_url"])],
    ["back image", code(found["image_back_url"])],
    ["unknown fields", code(found["extra"])]
  ])

/** Returns "card" or the kind of sealed product. */
export const describeKind = (found: Row): string =>
  splitWords(String(found["product_category"] ?? found["product_type"] ?? ""))

const listAttributes = (found: Row): ReadonlyArray<readonly [label: string, value: Shown]> => {
  const text = found["attributes"]
  if (typeof text !== "string") return []
  const released = day(found["release_date"])
  return Object.entries(JSON.parse(text) as Record<string, Row[string]>)
    .map(([key, value]) => [splitWords(key), readable(value ?? null)] as const)
    .filter(([key, value]) => value !== "" && value !== "none" && !(key === "release date" && value === released))
    .slice(0, maxAttributes)
}

const code = (value: Row[string] | undefined): Html | "" =>
  value === null || value === undefined
    ? ""
    : html`<code>${typeof value === "object" ? JSON.stringify(value) : String(value)}</code>`

/** Links to the cards before and after in the set, by number. */
export const neighbourLinks = (gameId: string, beside: Row | undefined): Html | false => {
  const link = (side: "before" | "after", shown: (text: Html) => Html) =>
    (beside?.[`${side}_id`] ?? null) !== null &&
    html`<a rel="${side === "before" ? "prev" : "next"}" href="${productAddress(gameId, beside?.[`${side}_id`])}"
      >${shown(html`${String(beside?.[`${side}_number`])} ${String(beside?.[`${side}_name`])}`)}</a
    >`
  const [before, after] = [link("before", (text) => html`← ${text}`), link("after", (text) => html`${text} →`)]
  return (
    (before !== false || after !== false) &&
    html`<nav class="neighbours" aria-label="Previous and next in the set">${before}${after}</nav>`
  )
}

/** Links to the sources that have a price or an id of a product: to its page there, if known. */
export const sourceLinks = (
  gameId: string,
  { titles, urls }: SourceNames,
  { ids, prices }: Readonly<Record<"prices" | "ids", ReadonlyArray<Row>>>
): Html | false => {
  const current = ids.filter((row) => row["valid_to"] === null)
  const sources = [...new Set([...prices.map((row) => row["source"]), ...current.map((row) => row["system"])])].map(
    String
  )
  const links = sources.toSorted().flatMap((source) => {
    const home = urls.get(source)
    if (home === undefined) return []
    const own = current.filter((row) => row["system"] === source).map((row) => String(row["external_id"]))
    const pages = [...new Set(own)].flatMap((id) => sourcePage(home, gameId, id) ?? [])
    const title = sourceTitle(titles, source)
    return pages.length === 0
      ? [html`<li><a href="${home}">${title}</a></li>`]
      : pages.map((page) => html`<li><a href="${page}">This product at ${title}</a></li>`)
  })
  return (
    links.length > 0 &&
    html`<ul class="downloads">
      ${links}
    </ul>`
  )
}
