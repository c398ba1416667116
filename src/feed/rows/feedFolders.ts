/** Where the rows of each feed file are below a game's batches, apart: each file is shredded by itself, and again by itself. */
export const feedFolders = {
  lists: "feed-lists",
  catalog: "feed-catalog",
  feedExpansions: "feed-expansions",
  prices: "feed-prices"
} as const
