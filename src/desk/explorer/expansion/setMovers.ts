import { Effect } from "effect"
import { html } from "../../pages/html.ts"
import { between } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { gainsAndFalls } from "../movers/gainsAndFalls.ts"
import { greatestOfWeek } from "../movers/greatestMoves.ts"
import { moverColumns } from "../movers/moverColumns.ts"
import { gameAddress, type PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { columnsFilled, filledIn } from "./filledColumns.ts"

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
    flagged: "all",
    until: null
  })
  const address = `${gameAddress(gameId, "movers")}?${new URLSearchParams({ set })}`
  const days = (span["before_at"] ?? null) === null ? "" : html`From ${between(span["before_at"], span["last_at"])}. `
  if (rows.length === 0) {
    return html`<p class="empty">
      Of what costs 1 or more, nothing of the set moved. ${days}<a href="${address}">Choose others</a>
    </p>`
  }
  return html`<p class="says">${days}<a href="${address}">Choose days, bounds and flags</a></p>
    ${gainsAndFalls({
      rows,
      columns: columnsFilled(moverColumns(gameId), yield* filledIn(asked, gameId)),
      by: "change",
      addressOf: (way) => `${address}&way=${way}`,
      isTitled: false
    })}`
})
