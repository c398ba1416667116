import { relative } from "node:path"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { html, type Html, ownMarkup } from "../pages/html.ts"

/** Replaces the program's name in commands with the command that starts it for the reader. */
export const withProgram = (document: string, program: string): string =>
  document.replaceAll('<code class="command">cardlake ', `<code class="command">${program} `)

/** A command to copy and run where the explorer was started; it includes the home. */
export const command = (root: string, verb: string, ...words: ReadonlyArray<string>): Html => {
  const near = relative(process.cwd(), root)
  const home = near === "" ? "." : near.startsWith("..") ? root : near
  return html`<code class="command">${["cardlake", verb, ...words, "--home", home].map(shellWord).join(" ")}</code>`
}

/** A placeholder for the picture of the product whose page is at `address`; {@link withPictures} fills it. */
export const pictureMark = (address: string, size: "small" | "large" = "small"): Html =>
  ownMarkup(`<!--picture ${size} ${address}-->`)

/** Fills the placeholders with pictures of this server, or removes them. */
export const withPictures = (document: string, hasPictures: boolean): string =>
  document.replaceAll(
    /<!--picture (small|large) (\/games\/[\w.%~!*'()-]+\/products\/\d+)-->/g,
    (_, size: string, address: string) =>
      hasPictures ? `<img class="picture ${size}" src="/pictures${address}" alt="" loading="lazy">` : ""
  )
