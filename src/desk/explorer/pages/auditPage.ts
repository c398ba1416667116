import { Effect } from "effect"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import {
  findingColumns,
  findingKindNames,
  findingKinds,
  judgedQuery,
  notWrong,
  readConfirmed
} from "../audit/findings.ts"
import { addressWith, type PageRequest, readChoice, readGame, type Page } from "../PageRequest.ts"
import { counted } from "../dataTable.ts"
import { html, pageHead } from "../../pages/html.ts"
import { choiceLinks } from "../pageChoices.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"
import { answerWithFile } from "../FileAnswer.ts"
import type { LakeView, Row } from "../LakeReader.ts"

/** Selects one page of the groups of findings, then the feed's data for these groups only. */
export const readGroups =
  ({ rows }: LakeView, gameId: string): LakeView["rows"] =>
  (step, sql, parameters) =>
    Effect.gen(function* () {
      const groups = yield* rows(step, sql, parameters)
      if (groups.length === 0) return groups
      const placed = groups.map((group, place) => Object.assign({ place }, group))
      const found = yield* rows("Read the feed’s data of the findings", queryNamed("audit/products"), {
        game: gameId,
        groups: JSON.stringify(placed)
      })
      const byPlace = new Map(found.map((row) => [Number(row["place"]), row]))
      return placed.map((group): Row => Object.assign(group, byPlace.get(group.place)))
    })

/** Ids in other systems that look wrong: the number of each kind, its meaning, and the affected products. */
export const auditPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  const kind = yield* readChoice(request, "finding", ["all", ...findingKindNames, notWrong])
  yield* request.lake.audited
  const ofGame = { game: gameId, ...(yield* readConfirmed(request)) }
  const parameters = { ...ofGame, kind }
  // A file has a row per finding, as view id_audit has it.
  yield* answerWithFile(request, {
    step: "List the findings",
    sql: `select * from (${judgedQuery("audit/audit")}) order by kind, system, external_id, product_id, finish`,
    parameters
  })
  const rows = yield* request.lake.rows("Count the findings", judgedQuery("audit/kinds"), ofGame)
  const counts = new Map(rows.map((row) => [String(row["kind"]), Number(row["findings"])]))
  const found = findingKindNames.filter((one) => counts.has(one))
  const right = counts.get(notWrong) ?? 0
  const all = found.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0)
  const list = yield* listing(
    request,
    {
      caption: "Findings by id or product",
      sql: judgedQuery("audit/groups"),
      parameters,
      columns: findingColumns(gameId, request.lake.sources),
      order: "kind",
      key: ["system", "external_id", "product_id", "finish"],
      empty: all === 0 ? "No findings: all ids look right." : "No findings of this kind."
    },
    readGroups(request.lake, gameId)
  )
  const chip = (one: "all" | typeof notWrong | (typeof findingKindNames)[number], count: number) =>
    [
      html`${one} <b>${counted(count)}</b>`,
      addressWith(request, { finding: one === "all" ? null : one, sort: null, page: null }),
      one === kind
    ] as const
  const explained = findingKindNames.filter((one) => one === kind || (kind === "all" && counts.has(one)))
  const meanings = html`<details ${explained.length < 3 && html` open`}>
    <summary>Meaning and next steps</summary>
    ${explained.map(
      (one) =>
        html`<p class="says"><b>${one}</b>: ${findingKinds[one].means} <b>Next step:</b> ${findingKinds[one].todo}</p>`
    )}
    <p class="says">
      If you looked one up and it is right, say so, and it is listed under “${notWrong}”, also after later nights:
      <code>${`cardlake audit confirm ${shellWord(gameId)} --id ID --why '…'`}</code>. To take it back:
      <code>${`cardlake audit doubt ${shellWord(gameId)} --id ID`}</code>
    </p>
  </details>`
  const kinds =
    all + right > 0 &&
    choiceLinks("Kinds of findings", [
      chip("all", all),
      ...found.map((one) => chip(one, counts.get(one) ?? 0)),
      ...(right > 0 ? [chip(notWrong, right)] : [])
    ])
  const head = pageHead(name, "Id audit", "External ids that look wrong. A price may belong to another product.")
  const body = html`${head}${kinds}${all + right > 0 && meanings}${list}`
  return { title: `${name}: id audit`, body } satisfies Page
})
