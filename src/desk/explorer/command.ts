import { relative } from "node:path"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { html, type Html } from "../pages/html.ts"

/** A document whose commands start the program as its reader does. */
export const withProgram = (document: string, program: string): string =>
  document.replaceAll('<code class="command">cardlake ', `<code class="command">${program} `)

/** A command that a reader of the page can copy and run where the explorer was started, with its home. */
export const command = (root: string, verb: string, ...words: ReadonlyArray<string>): Html => {
  const near = relative(process.cwd(), root)
  const home = near === "" ? "." : near.startsWith("..") ? root : near
  return html`<code class="command">${["cardlake", verb, ...words, "--home", home].map(shellWord).join(" ")}</code>`
}
