import { Context } from "effect"

/** Games of a home in a bucket that a night leaves alone, each with the sentence that names its lost document. */
export const LostGames = Context.Reference<ReadonlyMap<string, string>>("cardlake/home/LostGames", {
  defaultValue: () => new Map()
})
