import { type SourceTitles, sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { html, type Html } from "../../pages/html.ts"
import { day, instant, percent, price, chooseTone } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"

/** The number of prices before the chart, and of those after it that need no click. */
const before = 2
const after = 10

/**
 * Returns the prices of a product by source and finish, and their changes since earlier readings: first the top
 * prices, then the rest. The headings name the days of the readings.
 */
export const priceBoard = (rows: ReadonlyArray<Row>, spans: ReadonlyArray<Row>, titles: SourceTitles) => {
  const table = (some: ReadonlyArray<Row>) => some.length > 0 && boardTable(some, spans, titles)
  const [more, hidden] = [rows.slice(before, before + after), rows.slice(before + after)]
  return {
    first: html`<div class="board">
      ${table(rows.slice(0, before))}
      ${spans.length === 0 && html`<p class="says">Read on one day so far. Changes appear after the next reading.</p>`}
    </div>`,
    rest:
      more.length > 0 &&
      html`<div class="board rest">
        ${table(more)}
        ${
          hidden.length > 0 &&
          html`<details>
            <summary>${hidden.length} more prices</summary>
            ${table(hidden)}
          </details>`
        }
      </div>`
  }
}

const boardTable = (rows: ReadonlyArray<Row>, spans: ReadonlyArray<Row>, titles: SourceTitles): Html =>
  html`<table>
    <caption>
      <span class="unseen">Market values and their changes between readings</span>
    </caption>
    <thead>
      <tr>
        <th scope="col">source, finish</th>
        <th scope="col" class="figure">
          market value${spans[0] !== undefined && html`<small>${day(spans[0]["last_at"])}</small>`}
        </th>
        ${spans.map(spanHead)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${sourceTitle(titles, String(row["source"]))} <span>${describeFinish(row)}</span></th>
            ${valueCell(row)} ${spans.map((_, index) => changeCell(row, index === 0 ? "near" : "far"))}
          </tr> `
      )}
    </tbody>
  </table>`

/** The heading of a change: the actual number of days between the readings, and the time of the earlier one. */
const spanHead = (span: Row): Html => {
  const days = Number(span["days_between"])
  const isOneDay = day(span["before_at"]) === day(span["last_at"])
  const from = isOneDay ? instant(span["before_at"]).slice(11) : day(span["before_at"])
  return html`<th scope="col" class="figure">
    ${isOneDay ? "same day" : `${days} ${days === 1 ? "day" : "days"}`}<small><span>since </span>${from}</small>
  </th>`
}

const describeFinish = (row: Row): string =>
  `${String(row["finish"])}${row["is_listed"] === false ? " (not listed)" : ""}`

/** The market value, or why it is missing and its last value. */
const valueCell = (row: Row): Html => {
  if (row["market_value"] !== null) {
    return html`<td class="figure"><b>${price(row["market_value"], row["currency"])}</b></td>`
  }
  const last =
    row["last_value"] !== null &&
    html`<small>${price(row["last_value"], row["last_currency"])} until ${day(row["last_at"])}</small>`
  const low = row["low"] !== null && html`<small>low ${price(row["low"], row["currency"])}</small>`
  return html`<td class="figure">no price${last}${low}</td>`
}

const changeCell = (row: Row, span: "near" | "far"): Html => {
  const change = row[`${span}_percent`] ?? null
  if (change !== null) return html`<td class="figure ${chooseTone(change)}">${percent(change)}</td>`
  if (row["market_value"] === null) return html`<td class="figure"></td>`
  const [old, currency] = [row[`${span}_value`] ?? null, row[`${span}_currency`]]
  return html`<td class="figure"><small>${old === null ? "no price then" : `${price(old, currency)} then`}</small></td>`
}
