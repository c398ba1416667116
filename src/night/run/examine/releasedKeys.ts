import { Effect } from "effect"
import { slips } from "../../../store/diff/rules/HoldRule.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"

/**
 * Keys of products beyond the contract that more than a few products of a game's published night have: its next night is
 * not held for them. Null if no night of it is published.
 */
export const releasedKeys = Effect.fnUntraced(
  function* (gameId: string) {
    const home = yield* Home
    const snapshot = (yield* readCurrent).games[gameId]?.snapshot
    if (snapshot === undefined) return null
    const { manifest } = yield* readSnapshot(home.snapshot(gameId, snapshot))
    const { unknownKeys } = yield* readExtraction(home.raw(gameId, manifest.runId))
    const bound = slips * (manifest.tables["products"]?.rows ?? 0)
    const seen = unknownKeys.filter(({ kind, records }) => kind === "products" && records > bound)
    return new Set(seen.map(({ path }) => path))
  },
  // What cannot be read is another finding's.
  Effect.orElseSucceed(() => new Set<string>())
)
