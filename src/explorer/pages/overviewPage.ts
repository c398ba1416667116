import { Effect } from "effect"
import { type PageRequest, gameAddress, type Page } from "../PageRequest.ts"
import { type Column, dataTable } from "../dataTable.ts"
import { factList } from "../../pages/tableBox.ts"
import { age, counted, instant, millisOf } from "../figures.ts"
import { heldSince, newestRuns } from "../homeNews.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { queryNamed } from "../queryNamed.ts"

const games = queryNamed("games")

/** Beyond this age, a nightly lake has missed a night. */
const staleMillis = 36 * 3600 * 1000

/** Every game with its last reading, its age and what needs attention; then the last runs. */
export const overviewPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const known = yield* asked.lake.rows("Look at the games", games)
  const runs = yield* newestRuns(asked.lake)
  const cards = yield* Effect.forEach(known, (game) => card(asked, game, runs))
  const body = html`${pageHead("Overview", "The lake", html`${counted(known.length)} ${known.length === 1 ? "game" : "games"}, read from the marketplace every night`)}
    <div class="cards">${cards}</div>
    <h2>Last runs</h2>
    ${runs.length === 0 ? html`<p class="empty">The home has no run reports yet. Each <code>cardlake nightly</code> leaves one.</p>` : dataTable("What the last runs did, newest first", runColumns, runs)}`
  return { title: "Cardlake", body } satisfies Page
})

const card = Effect.fnUntraced(function* (asked: PageRequest, game: Row, runs: ReadonlyArray<Row>) {
  const gameId = String(game["game_id"])
  const held = yield* heldSince(gameId, String(game["snapshot"]))
  const read = lastRead(game, runs, asked.nowMillis)
  const last = runs.find((run) => run["game_id"] === gameId && run["kind"] === "nightly")
  const stale = asked.nowMillis - millisOf(read) > staleMillis
  const news: ReadonlyArray<Html> = [
    ...(stale
      ? [
          html`<li class="removed">
            Not read for ${age(read, asked.nowMillis)}. Look at the last runs, then:
            <code>cardlake nightly ${gameId}</code>
          </li>`
        ]
      : []),
    ...(last?.["verdict"] === "missing" ? [html`<li class="removed">Missing: ${String(last["reason"])}</li>`] : []),
    ...(game["is_behind"] === true
      ? [html`<li class="moves">A newer deployment is known than the one in the lake</li>`]
      : []),
    ...held.map(
      ({ reasons, snapshot }) =>
        html`<li class="removed">
          Held back: ${reasons.join("; ")}.
          <a
            href="${gameAddress(gameId, "diff")}?${new URLSearchParams({ from: String(game["snapshot"]), to: snapshot }).toString()}"
            >See the difference</a
          >, then: <code>cardlake release ${gameId}</code>
        </li>`
    )
  ]
  return html`<section class="card" aria-labelledby="game-${gameId}">
    <h2 id="game-${gameId}"><a href="${gameAddress(gameId, "expansions")}">${String(game["name"])}</a></h2>
    <p class="fresh ${stale ? "removed" : "added"}">read ${age(read, asked.nowMillis)} ago</p>
    ${factList([
      ["products", counted(game["products"])],
      ["prices", counted(game["prices"])],
      ["expansions", counted(game["expansions"])],
      ["refused records", html`<a href="${gameAddress(gameId, "refusals")}">${counted(game["refused"])}</a>`],
      ["nights", counted(game["nights"])],
      ["deployment", game["deployment_id"] === null ? "none" : html`<code>${String(game["deployment_id"])}</code>`],
      ["deployed", instant(game["deployed_at"])],
      ["read", instant(read)],
      ["unchanged since", read !== game["extracted_at"] && instant(game["extracted_at"])]
    ])}
    ${
      news.length > 0 &&
      html`<ul class="news">
        ${news}
      </ul>`
    }
  </section>`
})

/** When the feed was last read: the reading in the lake, or a later night that found it unchanged. */
const lastRead = (game: Row, runs: ReadonlyArray<Row>, nowMillis: number): string =>
  [
    String(game["extracted_at"]),
    ...runs
      .filter(
        (run) =>
          run["game_id"] === game["game_id"] && run["verdict"] === "unchanged" && run["snapshot"] === game["snapshot"]
      )
      .map((run) => String(run["started_at"]))
      .filter((at) => millisOf(at) <= nowMillis)
  ]
    .sort()
    .at(-1) ?? ""

const tones = new Map([
  ["published", "added"],
  ["unchanged", "edited"],
  ["missing", "removed"],
  ["held", "moves"],
  ["failed", "removed"]
])

const runColumns: ReadonlyArray<Column> = [
  { name: "started_at", label: "started", shape: "instant" },
  { name: "game_id", label: "game", link: (row) => gameAddress(String(row["game_id"]), "diff") },
  {
    name: "verdict",
    label: "verdict",
    shows: (row) =>
      html`<span class="verdict ${tones.get(String(row["verdict"])) ?? ""}">${String(row["verdict"])}</span>`
  },
  { name: "kind", label: "run" },
  { name: "products", label: "products", shape: "count" },
  { name: "added", label: "added", shape: "count" },
  { name: "modified", label: "edited", shape: "count" },
  { name: "removed", label: "removed", shape: "count" },
  { name: "seconds", label: "seconds", shape: "count", shows: (row) => Number(row["seconds"]).toFixed(1) },
  { name: "reason", label: "reason", shows: (row) => String(row["reason"] ?? row["why"] ?? "") }
]
