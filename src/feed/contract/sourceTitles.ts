import type { Dialect } from "./dialect/dialects.ts"

/** The public names of the feed's price sources, by the values of column `source`. */
export type SourceTitles = ReadonlyMap<string, string>

export const titlesIn = ({ sources }: Dialect): SourceTitles =>
  new Map(Object.entries(sources).map(([source, { title }]) => [source, title]))

/** The title of a source, a region (`marketplace.eu`), or an id system that is a source; else unchanged. */
export const sourceTitle = (titles: SourceTitles, word: string): string => {
  const [source = "", region] = word.split(".")
  const title = titles.get(source)
  if (title === undefined) return word
  return region === undefined ? title : `${title} ${region.toUpperCase()}`
}

/** One site's names of games, by our game ids. Other games have no known page. */
const cardmarketGames: ReadonlyMap<string, string> = new Map([
  ["mtg", "Magic"],
  ["magic", "Magic"],
  ["pokemon", "Pokemon"],
  ["ygo", "YuGiOh"],
  ["onepiece", "OnePiece"],
  ["lorcana", "Lorcana"],
  ["fab", "FleshAndBlood"],
  ["fleshandblood", "FleshAndBlood"],
  ["swu", "StarWarsUnlimited"],
  ["riftbound", "Riftbound"]
])

/** A product's page at a source by the source's home page, the game and its id there; null = none is known. */
export const sourcePage = (home: string, gameId: string, id: string): string | null => {
  if (!/^\d{1,16}$/.test(id)) return null
  if (home === "https://www.tcgplayer.com") return `${home}/product/${id}`
  const game = cardmarketGames.get(gameId)
  return home === "https://www.cardmarket.com" && game !== undefined
    ? `${home}/en/${game}/Products?idProduct=${id}`
    : null
}
