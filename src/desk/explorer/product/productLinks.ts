import { sourcePage, titleOf } from "../../../feed/contract/sourceTitles.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { productAddress } from "../PageRequest.ts"
import type { SourceNames } from "../sourceNames.ts"

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
    html`<nav class="neighbours" aria-label="Neighbours in the set">${before}${after}</nav>`
  )
}

/** Links to the sources that have a price or an id of a product: to its own page there, if one is known. */
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
    const title = titleOf(titles, source)
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
