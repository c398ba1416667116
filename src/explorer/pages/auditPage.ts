import { Effect } from "effect"
import { addressWith, type PageRequest, choiceOf, gameOf, type Page, productAddress } from "../PageRequest.ts"
import { counted } from "../figures.ts"
import { html } from "../../pages/html.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { sourceColumn } from "../sourceColumns.ts"
import { queryNamed } from "../queryNamed.ts"

const kindCounts = queryNamed("audit/kinds")
const audit = queryNamed("audit/audit")

/** Kinds of findings: what each means. */
const kinds = {
  all: "Which ids in other systems look wrong, so that a price may be another product’s.",
  shared: "One id on several products: of different names, or of one name in the same finish.",
  doubled: "A product with several ids of one finish.",
  moved: "An id that another product had before: of another name, or of the same name in the same finish.",
  missing: "A finish without an id, though the product’s other finishes have one.",
  apart: "Prices of the two sources more than eight times apart."
}

/** Ids in other systems that look wrong. */
export const auditPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const kind = yield* choiceOf(asked, "finding", ["all", "shared", "doubled", "moved", "missing", "apart"])
  yield* asked.lake.audited
  const counts = yield* asked.lake.rows("Count the findings", kindCounts, { game: gameId })
  const all = counts.reduce((sum, row) => sum + Number(row["findings"]), 0)
  const chips = [["all", all] as const, ...counts.map((row) => [String(row["kind"]), Number(row["findings"])] as const)]
  const list = yield* listing(asked, {
    caption: "Findings",
    sql: audit,
    parameters: { game: gameId, kind },
    columns: [
      { name: "kind", label: "finding" },
      { name: "name", label: "product", link: (row) => productAddress(gameId, row["product_id"]) },
      { name: "expansion_code", label: "expansion", shape: "code" },
      sourceColumn(asked.lake.sources, "system"),
      { name: "finish", label: "finish" },
      { name: "external_id", label: "id", shape: "code" },
      { name: "detail", label: "detail", shape: "long" }
    ],
    order: "kind",
    key: ["system", "external_id", "product_id", "finish"],
    empty: "None: no id looks wrong."
  })
  const choice = html`<nav class="switch" aria-label="Kinds of findings">
    ${chips.map(
      ([one, count]) =>
        html`<a
          href="${addressWith(asked, { finding: one === "all" ? null : one, page: null })}"
          ${one === kind && html` aria-current="true"`}
          >${one} <b>${counted(count)}</b></a
        >`
    )}
  </nav>`
  return {
    title: `${name}: id audit`,
    body: html`${pageHead(name, "Id audit", kinds[kind])}${choice}${list}`
  } satisfies Page
})
