import { Effect } from "effect"
import type { Current } from "../../../src/store/home/Home.ts"
import { feedHere } from "./feed.ts"

export { GameUnknown } from "../../../src/night/run/gamesOfNight.ts"

/** The games of a night at this level: all that the feed has, or the named ones. */
export const gamesOfNight = (named: ReadonlyArray<string>, _current: Current) =>
  Effect.sync(() => ({ page: null, wanted: named.length > 0 ? named : [...feedHere.feed.games.keys()], unread: [] }))
