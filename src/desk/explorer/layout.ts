import { type PageRequest, gameAddress, type Page } from "./PageRequest.ts"
import { exactly, html, type Html, currentPage, pageDocument } from "../pages/html.ts"

/** Sections of a game, as the path names them. */
const sections = [
  ["expansions", "Expansions"],
  ["movers", "Movers"],
  ["spreads", "Spreads"],
  ["diff", "Differences"],
  ["refusals", "Refusals"],
  ["audit", "Id audit"]
] as const

/** The data for the frame of a page. An error page may have no game. */
export interface Frame extends Page, Pick<PageRequest, "path" | "games" | "game" | "copy" | "hasOwn"> {
  readonly query?: string
}

/** Renders the frame around a page. */
export const layout = (frame: Frame): string =>
  pageDocument({
    title: frame.title,
    site: "Cardlake",
    icon: "/assets/icon.svg",
    styles: "/assets/explorer.css",
    script: "/assets/explorer.js",
    header: header(frame),
    body: frame.body,
    footer:
      frame.copy ??
      html`<p>
        Read-only. <a href="/console">Query with SQL</a>. Tables and columns are explained by
        <code>cardlake describe</code>
      </p>`
  })

const header = (frame: Frame): Html =>
  html`<div class="bar">
      <a class="brand" href="/">Cardlake</a>
      <nav aria-label="Pages of all games">
        <a class="wide" href="/" ${frame.path === "/" && currentPage}>Overview</a>
        ${frame.hasOwn && html`<a href="/own" ${frame.path === "/own" && currentPage}>My cards</a>`}
        ${
          frame.copy === null &&
          html`<a class="wide" href="/console" ${frame.path === "/console" && currentPage}>SQL</a>`
        }
      </nav>
      ${frame.copy === null ? searchForm(frame) : html`<div class="find" data-find></div>`}
    </div>
    ${frame.games.length > 0 && html`<div class="where">${places(frame)}</div>`}`

const searchForm = (frame: Frame): Html =>
  html`<form class="find" role="search" action="/search">
    ${frame.game !== null && html`<input type="hidden" name="game" value="${exactly(frame.game.gameId)}" />`}
    <label class="unseen" for="find">Search products and expansions</label>
    <input
      id="find"
      type="search"
      name="q"
      value="${exactly(frame.query ?? "")}"
      placeholder="Name, number or id"
      autocomplete="off"
      aria-keyshortcuts="/"
    />
    <button aria-label="Search">
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="M10.5 10.5 14 14" />
      </svg>
    </button>
  </form>`

/** The number of games that fit into one row. */
const gamesInARow = 6

/** Links to the game's sections, with the other games in a menu; without a game, links to all games. */
const places = (frame: Frame): Html => {
  const { game, games, path } = frame
  const isRow = game === null && games.length <= gamesInARow
  const links = html`<nav ${isRow && html` class="row"`} aria-label="Games">
    ${games.map(
      ({ gameId, name }) =>
        html`<a href="${addressIn(frame, gameId)}" ${gameId === game?.gameId && html` aria-current="true"`}>${name}</a>`
    )}
  </nav>`
  if (isRow) return links
  const menu = html`<details class="games">
    <summary>${game?.name ?? `${games.length} games`}</summary>
    ${links}
  </details>`
  return game === null ? menu : html`${menu} ${sectionLinks(game.gameId, path)}`
}

/** The address of the same section of another game; a page about one item leads to that game's first page. */
const addressIn = ({ path, query }: Frame, gameId: string): string => {
  const section = /^\/games\/[^/]+\/([a-z]+)/.exec(path)?.[1] ?? "expansions"
  return path === "/search"
    ? `/search?${new URLSearchParams({ q: query ?? "", game: gameId })}`
    : gameAddress(gameId, section === "products" ? "expansions" : section)
}

const sectionLinks = (gameId: string, path: string): Html =>
  html`<nav class="row" aria-label="Sections">
    ${sections.map(([section, title]) => {
      const address = gameAddress(gameId, section)
      const here = path === address ? currentPage : path.startsWith(`${address}/`) && html` aria-current="true"`
      return html`<a href="${address}" ${here}>${title}</a>`
    })}
  </nav>`
