import { relative } from "node:path"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { html, type Html, ownMarkup } from "../pages/html.ts"

/** A document whose commands start the program as its reader does. */
export const withProgram = (document: string, program: string): string =>
  document.replaceAll('<code class="command">cardlake ', `<code class="command">${program} `)

/** A command that a reader of the page can copy and run where the explorer was started, with its home. */
export const command = (root: string, verb: string, ...words: ReadonlyArray<string>): Html => {
  const near = relative(process.cwd(), root)
  const home = near === "" ? "." : near.startsWith("..") ? root : near
  return html`<code class="command">${["cardlake", verb, ...words, "--home", home].map(shellWord).join(" ")}</code>`
}

/** Where the picture of a product goes, by the address of its page: {@link withPictures} fills the place, or takes it out. */
export const pictureMark = (address: string, size: "small" | "large" = "small"): Html =>
  ownMarkup(`<!--picture ${size} ${address}-->`)

/** A document with its pictures, asked of this server, or without. */
export const withPictures = (document: string, hasPictures: boolean): string =>
  document.replaceAll(
    /<!--picture (small|large) (\/games\/[\w.%~!*'()-]+\/products\/\d+)-->/g,
    (_, size: string, address: string) =>
      hasPictures ? `<img class="picture ${size}" src="/pictures${address}" alt="" loading="lazy">` : ""
  )
