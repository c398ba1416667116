import { shownText } from "../contract/shownText.ts"
import { type PageRequest, gameAddress, type Page } from "./PageRequest.ts"
import { exactly, html, type Html } from "./html.ts"

/** Sections of a game, as the path names them. */
const sections = [
  ["expansions", "Expansions"],
  ["movers", "Movers"],
  ["spreads", "Spreads"],
  ["diff", "Differences"],
  ["refusals", "Refusals"],
  ["audit", "Id audit"]
] as const

/** What the frame of a page shows. A page about a failure may know no game. */
export interface Frame extends Page {
  readonly path: string
  readonly query?: string
  readonly games: PageRequest["games"]
  readonly game: PageRequest["game"]
}

/** A whole document: the frame around a page. It loads nothing but from this server. */
export const layout = (frame: Frame): string => `<!doctype html>\n${document(frame).markup}\n`

const document = (frame: Frame): Html =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${frame.title === "Cardlake" ? "" : `${shownText(frame.title, maxTitleLength)} · `}Cardlake</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/assets/explorer.css" />
      <script type="module" src="/assets/explorer.js"></script>
    </head>
    <body>
      <a class="skip" href="#main">Skip to the page</a>
      <header>
        <div class="bar">
          <a class="brand" href="/">Cardlake</a>
          <nav aria-label="Pages of all games">
            <a href="/" ${frame.path === "/" && current}>Overview</a>
            <a href="/console" ${frame.path === "/console" && current}>SQL</a>
          </nav>
          <form class="find" role="search" action="/search">
            ${frame.game !== null && html`<input type="hidden" name="game" value="${exactly(frame.game.gameId)}" />`}
            <label class="unseen" for="find">Search products and expansions</label>
            <input
              id="find"
              type="search"
              name="q"
              value="${exactly(frame.query ?? "")}"
              placeholder="Name, slug or id"
              autocomplete="off"
              aria-keyshortcuts="/"
            />
            <button>Search</button>
          </form>
        </div>
        ${frame.games.length > 0 && gameSwitch(frame)}
        ${frame.game !== null && sectionLinks(frame.game.gameId, frame.path)}
      </header>
      <main id="main" tabindex="-1">${frame.body}</main>
      <footer>
        <p>Read-only. What every table means: <code>cardlake describe</code></p>
      </footer>
    </body>
  </html>`

const current = html` aria-current="page"`

/** The other games, in the same section if that is not about one item. */
const gameSwitch = ({ game, games, path, query }: Frame): Html => {
  const section = /^\/games\/[^/]+\/([a-z]+)/.exec(path)?.[1] ?? "expansions"
  const address = (gameId: string) =>
    path === "/search"
      ? `/search?${new URLSearchParams({ q: query ?? "", game: gameId })}`
      : gameAddress(gameId, section === "products" ? "expansions" : section)
  return html`<nav class="games" aria-label="Games">
    ${games.map(
      ({ gameId, name }) =>
        html`<a href="${address(gameId)}" ${gameId === game?.gameId && html` aria-current="true"`}>${name}</a>`
    )}
  </nav>`
}

const sectionLinks = (gameId: string, path: string): Html =>
  html`<nav class="sections" aria-label="Sections">
    ${sections.map(([section, title]) => {
      const address = gameAddress(gameId, section)
      const here = path === address ? current : path.startsWith(`${address}/`) && html` aria-current="true"`
      return html`<a href="${address}" ${here}>${title}</a>`
    })}
  </nav>`

/** Letters of a name over a page. */
const maxTitleLength = 200

/** The head of a page: its context, its title, one sentence. */
export const pageHead = (kicker: string, title: string, says: Html | string = ""): Html =>
  html`<div class="head">
    <p class="kicker">${shownText(kicker, maxTitleLength)}</p>
    <h1>${shownText(title, maxTitleLength)}</h1>
    ${says !== "" && html`<p class="says">${says}</p>`}
  </div>`
