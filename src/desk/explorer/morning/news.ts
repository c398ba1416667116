import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { html, type Html } from "../../pages/html.ts"
import { gameAddress } from "../PageRequest.ts"
import { type Column, sortableTable, between, counted, doubt, percent, move, productColumn } from "../dataTable.ts"
import { type LakeView, type Row, lastMoves } from "../LakeReader.ts"
import { whyEmpty, whyParameters } from "../whyEmpty.ts"
import { differenceAddress, type MorningGame } from "./alarms.ts"

/** Counts of products that the last publication added, edited, removed and repriced, each linked to its list. */
export const changedIn = ({ game, runs }: MorningGame): Html => {
  const gameId = String(game["game_id"])
  const made = runs.find((run) => run["game_id"] === gameId && run["run_id"] === game["snapshot"])
  const to = String(game["snapshot"])
  // The home may no longer have the oldest reports.
  if ((made?.["added"] ?? null) === null) {
    return html`<p class="says"><a href="${differenceAddress(gameId, { to })}">What changed</a></p>`
  }
  return html`<ul class="counts">
    ${counts.map(({ choice, name, tone, word }) => {
      const address = differenceAddress(gameId, { to, show: "changes", entity: "product", ...choice })
      return html`<li class="${tone}">
        <a href="${address}"><b>${counted(made?.[name])}</b> ${word}</a>
      </li>`
    })}
  </ul>`
}

/** The counts of a publication, and the filter that lists each among the differences. */
const counts = [
  { tone: "added", name: "added", word: "added", choice: { change: "added" } },
  { tone: "edited", name: "modified", word: "edited", choice: { change: "modified" } },
  { tone: "removed", name: "removed", word: "removed", choice: { change: "removed" } },
  { tone: "moves", name: "repriced", word: "repriced", choice: { class: "price" } }
] as const

/** The filters of the overview's moves, equal to those of `morning_moves.sql`. */
const question = { needs: ["moves"], days: 1, min_price: "1" } as const

/** Reads the largest moves of every game since its previous reading, and the causes if a game has none. */
export const readMoves = Effect.fnUntraced(function* (lake: Pick<LakeView, "kept">, games: ReadonlyArray<Row>) {
  const moves = yield* lastMoves(lake)
  const isStill = games.some(({ game_id }) => moves.every((move) => move["game_id"] !== game_id))
  const causes = isStill ? yield* lake.kept("Find why nothing moved", whyEmpty, whyParameters(question)) : []
  return { moves, causes }
})
export type Moved = Effect.Success<ReturnType<typeof readMoves>>

/** The directions of a game's moves, and the titles of their lists. */
export const ways = [
  ["gain", "Gainers"],
  ["fall", "Losers"]
] as const

/** The largest moves of a game between its last two readings, one block per currency, or the reason why there are none. */
export const movedIn = (gameId: string, { causes, moves: all }: Moved): Html => {
  const moves = all.filter((row) => row["game_id"] === gameId)
  if (moves.length === 0) {
    const why = causes.find((row) => row["game_id"] === gameId)?.["says"] ?? "no prices moved"
    return html`<p class="empty">Nothing to list: ${String(why)}.</p>`
  }
  return html`${[...Map.groupBy(moves, (row) => row["currency"]).values()].map((block) => movedInOne(gameId, block))}
    <p class="says"><a href="${gameAddress(gameId, "movers")}?days=1">All movers</a></p>`
}

/** The largest moves of a game in one currency. */
const movedInOne = (gameId: string, moves: ReadonlyArray<Row>): Html => {
  const [{ currency, doubted, moves: count, seen_at, seen_before } = {}] = moves
  const address = `${gameAddress(gameId, "movers")}?days=1&currency=${String(currency)}&trust=doubted`
  const doubts = Number(doubted) > 0 && html`, <a href="${address}">${counted(doubted)} of them doubted</a>`
  return html`<div class="pair">
      ${ways.map(([way, title]) => {
        const rows = moves.filter((row) => row["way"] === way)
        return rows.length === 0
          ? html`<p class="empty">No ${title.toLowerCase()}</p>`
          : sortableTable({
              caption: `${title}, market value`,
              columns: moveColumns(gameId),
              rows,
              order: { by: "change", down: way === "gain" }
            })
      })}
    </div>
    <p class="says">
      ${String(currency)}, ${between(seen_before, seen_at)}: ${formatAmount(Number(count), "price")} moved${doubts}.
    </p>`
}

const moveColumns = (gameId: string): ReadonlyArray<Column> => [
  productColumn(["expansion_code", "finish"], {
    gameId,
    below: (row) => html`<small>${doubt(row["verdict"])}</small>`
  }),
  { name: "new", label: "now", shape: "price" },
  {
    name: "change",
    label: "change",
    shape: "move",
    shows: (row) => html`${move(row["change"], row["currency"])} <small>${percent(row["percent"])}</small>`
  }
]
