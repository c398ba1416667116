import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { isDemoHome } from "../../../store/home/HomeMarker.ts"
import { Home } from "../../../store/home/Home.ts"
import { listSnapshotIds } from "../../../store/home/Manifest.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import { type PageRequest, gameAddress, type Page } from "../PageRequest.ts"
import { type Column, sortableTable, age, counted, day, instant } from "../dataTable.ts"
import { heldSince, newestRuns, findAlarms, differenceAddress, lastRead, type MorningGame } from "../morning/alarms.ts"
import type { Row } from "../LakeReader.ts"
import { changedIn, type Moved, movedIn, readMoves } from "../morning/news.ts"
import { queryNamed } from "../queryNamed.ts"
import { answerWithFile } from "../FileAnswer.ts"

const games = queryNamed("games")

/** The overview: alarms, the moves and changes of every game, and the last runs. */
export const overviewPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { root } = yield* Home
  const isDemo = isDemoHome(root)
  yield* answerWithFile(request, { step: "Read the games", sql: games, parameters: {} })
  const all = yield* request.lake.rows("Read the games", games)
  const known = all.filter((row) => request.games.some(({ gameId }) => gameId === row["game_id"]))
  const runs = yield* newestRuns(
    request.lake,
    known.map(({ snapshot }) => String(snapshot))
  )
  const isCopy = request.copy !== null
  // The reader of a static site cannot act on alarms.
  const alarms = isCopy
    ? []
    : (yield* Effect.forEach(known, (game) => findAlarms(request, { game, runs, isDemo }))).flat()
  const moved = yield* readMoves(request.lake, known)
  const sections = yield* Effect.forEach(known, (game) =>
    section(request, { game, runs, isDemo: isDemo || isCopy }, moved)
  )
  const links = yield* Effect.forEach(known, ({ game_id }) => listSnapshotIds(String(game_id)))
  const stored = new Set(links.flatMap((ids, index) => ids.map((id) => `${String(known[index]?.["game_id"])} ${id}`)))
  const count = formatAmount(known.length, "game")
  const body = html`${pageHead("Overview", "What is new", isCopy ? count : says(count, alarms))} ${isDemo && demoNote}
  ${
    alarms.length > 0 &&
    html`<ul class="news">
      ${alarms}
    </ul>`
  }
  ${sections} ${!isCopy && lastRuns(runs, stored)}`
  return { title: "Cardlake", body } satisfies Page
})

const says = (count: string, alarms: ReadonlyArray<Html>): string =>
  `${count}; ${alarms.length === 0 ? "nothing needs" : formatAmount(alarms.length, "thing needs", "things need")} attention.`

const lastRuns = (runs: ReadonlyArray<Row>, stored: ReadonlySet<string>): Html =>
  html`<h2>Last runs</h2>
    ${runs.length === 0 ? html`<p class="empty">No runs yet. Every run of <code>cardlake nightly</code> is listed here.</p>` : sortableTable({ caption: "Results of the last runs, newest first", columns: runColumns(stored), rows: runs, order: { by: "started_at", down: true } })}`

const demoNote = html`<p class="note">
  Demo data. To use your own:
  <code class="command">cardlake init</code>
</p>`

const section = Effect.fnUntraced(function* (request: PageRequest, of: MorningGame, moved: Moved) {
  const { game, isDemo, runs } = of
  const gameId = String(game["game_id"])
  const held = request.copy === null ? (yield* heldSince(gameId, String(game["snapshot"]))).at(-1) : undefined
  const read = lastRead(game, runs, request.nowMillis)
  const refused = Number(game["refused"])
  return html`<section class="game" aria-labelledby="game-${gameId}">
    <h2 id="game-${gameId}">
      <a href="${gameAddress(gameId, "expansions")}">${String(game["name"])}</a
      >${held !== undefined && html` <span class="verdict moves">held</span>`}
    </h2>
    <p class="says">
      <span title="${instant(read)}"
        >${isDemo ? `Read on ${day(read)}` : `Read ${age(read, request.nowMillis)} ago`}</span
      >${read !== game["extracted_at"] && ` and unchanged since ${day(game["extracted_at"])}`}:
      ${formatAmount(Number(game["products"]), "product")}, ${formatAmount(Number(game["prices"]), "price")},
      ${formatAmount(Number(game["expansions"]), "set")}${refused > 0 && html`, <a href="${gameAddress(gameId, "refusals")}">${counted(refused)} refused</a>`}.
      ${
        game["deployment_id"] !== null &&
        html`<span class="wide" title="${String(game["deployment_id"])}"
          >Deployed ${instant(game["deployed_at"])}.</span
        >`
      }
    </p>
    ${
      held !== undefined &&
      html`<p class="says">
        The night of ${day(held.readAt)} is
        <a href="${differenceAddress(gameId, { from: String(game["snapshot"]), to: held.snapshot })}">held</a>. This
        page shows the snapshot published before it.
      </p>`
    }
    ${changedIn(of)} ${movedIn(gameId, moved)}
  </section>`
})

const tones = new Map([
  ["published", "added"],
  ["unchanged", "edited"],
  ["missing", "removed"],
  ["held", "moves"],
  ["failed", "removed"]
])

/** The address of the difference that a run published or held; null = it made none, or its snapshot was deleted. */
const runDifference = (row: Row, stored: ReadonlySet<string>): string | null => {
  const gameId = String(row["game_id"])
  const [from, to] = [String(row["snapshot"]), String(row["run_id"])]
  const has = (snapshot: string) => stored.has(`${gameId} ${snapshot}`)
  if (row["verdict"] === "held") return has(to) && has(from) ? differenceAddress(gameId, { from, to }) : null
  return row["verdict"] === "published" && has(from) ? differenceAddress(gameId, { to: from }) : null
}

const runColumns = (stored: ReadonlySet<string>): ReadonlyArray<Column> => [
  { name: "started_at", label: "started", shape: "instant" },
  { name: "game_id", label: "game", link: (row) => gameAddress(String(row["game_id"]), "expansions") },
  {
    name: "verdict",
    label: "verdict",
    link: (row) => runDifference(row, stored),
    shows: (row) =>
      html`<span class="verdict ${tones.get(String(row["verdict"])) ?? ""}">${String(row["verdict"])}</span>`
  },
  { name: "kind", label: "command" },
  { name: "products", label: "products", shape: "count" },
  { name: "added", label: "added", shape: "count" },
  { name: "modified", label: "edited", shape: "count" },
  { name: "removed", label: "removed", shape: "count" },
  { name: "repriced", label: "repriced", shape: "count" },
  { name: "seconds", label: "seconds", shape: "count", shows: (row) => Number(row["seconds"]).toFixed(1) },
  { name: "reason", label: "reason", shape: "long", shows: showReason }
]

/** Only the reason of a hold has lines of ours; line ends in other reasons come from elsewhere. */
const showReason = (row: Row): Html | string => {
  const reason = String(row["reason"] ?? row["why"] ?? "")
  const [first = "", ...more] = row["verdict"] === "held" ? reason.split("\n") : [reason]
  return html`${first}${more.map((line) => html`<br />${line}`)}`
}
