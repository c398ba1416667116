import { dirname, posix } from "node:path"
import { exactly } from "../../pages/html.ts"
import { fileOf, type SiteAddress, siteAddress } from "./siteAddress.ts"

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'"
}
const decoded = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? "")

const link = /<a\b(?<before>[^>]*?)\shref="(?<place>[^"]*)"(?<after>[^>]*)>(?<inner>[\s\S]*?)<\/a\s*>/g

const isOurs = (place: string): boolean => place.startsWith("/")

/** Every address of this server that a page links to. */
export const linksIn = (markup: string): ReadonlyArray<SiteAddress> =>
  Array.from(markup.matchAll(link), ({ groups }) => decoded(groups?.["place"] ?? ""))
    .filter(isOurs)
    .map(siteAddress)

/** The way from one file of a site to another. */
export const wayTo = (from: string, to: string): string => posix.relative(dirname(from), to)

/** The markup of a page as a file of a site: links lead to files beside it, and what needs a server is gone. */
export const siteMarkup = (markup: string, file: string, has: (address: SiteAddress) => boolean): string => {
  const isDead = (place: string) => isOurs(place) && !has(siteAddress(place))
  return (
    markup
      .replaceAll(/<form\b[\s\S]*?<\/form\s*>/g, "")
      .replaceAll(/<nav class="switch[\s\S]*?<\/nav\s*>/g, (nav) => {
        const left = nav.replaceAll(link, (whole, ...found) => (isDead(placeIn(found)) ? "" : whole))
        return (left.match(/<a\b/g)?.length ?? 0) < 2 ? "" : left
      })
      .replaceAll(link, (whole: string, ...found) => {
        const { after = "", before = "", inner = "" } = groupsIn(found)
        const place = placeIn(found)
        if (!isOurs(place)) return whole
        const address = siteAddress(place)
        if (has(address)) {
          const { hash } = new URL(place, "http://site")
          return `<a${before} href="${exactly(wayTo(file, fileOf(address)) + hash).markup}"${after}>${inner}</a>`
        }
        if (/\brel="/.test(before + after)) return ""
        return address.format === null ? inner : `${inner} (too large for this copy)`
      })
      .replaceAll(
        /(<(?:link|script)\b[^>]*?\s(?:href|src)=")\/([^"]*)"/g,
        (_, tag: string, asset: string) => `${tag}${wayTo(file, asset)}"`
      )
      // A module does not run from a folder that nobody serves.
      .replaceAll(/<script type="module" blocking="render"/g, "<script defer")
      // The home is somewhere on another machine.
      .replaceAll(/(<code class="command">[^<]*?) --home (?:&#39;.*?&#39;|[^\s<]+)/g, "$1")
      .replaceAll(/\n\s+/g, "\n")
  )
}

type Groups = Readonly<Record<string, string>>
const groupsIn = (found: ReadonlyArray<unknown>): Groups => found.at(-1) as Groups
const placeIn = (found: ReadonlyArray<unknown>): string => decoded(groupsIn(found)["place"] ?? "")
