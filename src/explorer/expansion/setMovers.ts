import { Effect } from "effect"
import { html, type Html } from "../../pages/html.ts"
import { dataTable } from "../dataTable.ts"
import { counted, day } from "../figures.ts"
import type { Row } from "../LakeReader.ts"
import { greatestOfWeek } from "../movers/greatestMoves.ts"
import { moverColumns } from "../movers/moverColumns.ts"
import { gameAddress, type PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const priceCurrencies = queryNamed("price_currencies")

/** Moves of each way that the page of a set has. */
const shown = 5

/** What moved most in a set, as the movers' page has it unless somebody chooses; `span` is a row of compared_days.sql. */
export const setMovers = Effect.fnUntraced(function* (
  asked: PageRequest,
  gameId: string,
  { set, span }: { readonly set: string; readonly span: Row }
) {
  const [main] = yield* asked.lake.rows("Look at the currencies", priceCurrencies, { game: gameId })
  const rows = yield* greatestOfWeek(asked.lake, shown, {
    game: gameId,
    currency: String(main?.["currency"] ?? "EUR"),
    expansion: set,
    kind: null,
    finish: null,
    flagged: "all"
  })
  const address = `${gameAddress(gameId, "movers")}?${new URLSearchParams({ set })}`
  const days =
    (span["before_at"] ?? null) === null ? "" : html`From ${day(span["before_at"])} to ${day(span["last_at"])}. `
  if (rows.length === 0) {
    return html`<p class="empty">
      Of what costs 1 or more, nothing of the set moved. ${days}<a href="${address}">Choose others</a>
    </p>`
  }
  const half = (title: string, way: string, moved: ReadonlyArray<Row>): Html =>
    html`<section>
      ${
        moved.length === 0
          ? html`<p class="empty">No ${title.toLowerCase()}</p>`
          : html`${dataTable(`${title} of market value`, moverColumns(gameId), moved)}
              <p class="pager">
                <a href="${address}&amp;way=${way}">All ${counted(moved[0]?.["moves"])} ${title.toLowerCase()}</a>
              </p>`
      }
    </section>`
  return html`<p class="says">${days}<a href="${address}">Choose days, bounds and flags</a></p>
    <div class="pair">
      ${half(
        "Gains",
        "gains",
        rows.filter((row) => Number(row["change"]) > 0)
      )}
      ${half(
        "Falls",
        "falls",
        rows.filter((row) => Number(row["change"]) < 0)
      )}
    </div>`
})
