import { html, type Html } from "../../pages/html.ts"
import { counted } from "../figures.ts"
import { listPages } from "./SiteScope.ts"

/** What every page of a site says below: of when it is, and where it says what it has not. */
export const copyNote = (writtenOn: string): Html =>
  html`<p>A copy of ${writtenOn}. <a href="/#copy">What it leaves out</a></p>`

/** What the first page of a site says of it: what it has, and what of the explorer it has not, and why. */
export const copyContents = (writtenOn: string, products: number): Html =>
  html`<h2 id="copy">About this copy</h2>
    <p class="says">
      Made on ${writtenOn} by <code>cardlake explore --export</code>. The ${counted(products)} dearest products of every
      game have a page here, and so have those that this page, movers and differences name; the search finds them by
      words of their names, set and number. Left out, because nobody answers questions here: the SQL console, filters,
      sorting, other days of charts, lists beyond ${listPages} pages, files of more than 2 MB, and what waits for the
      owner of the lake.
    </p>`
