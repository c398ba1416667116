import { Effect, Schema } from "effect"
import { shellWord } from "../../feed/contract/shellWord.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { createDocument, DropState, readDocument, stateFile, type Drop } from "./Drop.ts"
import type { KeptAs } from "./ExportFormat.ts"
import { rebuildState, type LostState } from "./rebuildState.ts"
import { StateLost } from "./StateLost.ts"

/** Another export began with the same game at the same time. */
export class DropClaimed extends Schema.TaggedError<DropClaimed>()("DropClaimed", {
  address: Schema.String,
  gameId: Schema.String
}) {
  override get message() {
    return `Another export began to write ${this.gameId} into ${this.address} at the same time, so this one wrote nothing of it. When that one is done, run again: cardlake export --to ${shellWord(this.address)}`
  }
}

const createState = Effect.fnUntraced(function* (to: Destination, gameId: string, state: DropState) {
  if (yield* createDocument(to, stateFile(gameId), DropState, state)) return state
  return yield* new DropClaimed({ address: to.address, gameId })
})

/** Claims a game for its first export, before `drop.json` names it: a game that is named there has a state. */
export const claimGame = Effect.fnUntraced(function* (to: Destination, gameId: string) {
  if ((yield* to.read(stateFile(gameId))) === null) yield* createState(to, gameId, { days: {} })
})

/** What a drop has of a claimed game. A lost state is found again in plain files; tables are not searched for it. */
export const gameState = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { decimals }: Drop,
  keptAs: KeptAs,
  lost: Omit<LostState, "decimals">
) {
  const { gameId } = lost
  const found = yield* readDocument(to, stateFile(gameId), DropState)
  if (found !== null) return found
  if (keptAs.tables === null) {
    return yield* createState(to, gameId, yield* rebuildState(session, to, { ...lost, decimals }))
  }
  return yield* new StateLost({
    address: to.address,
    gameId,
    what: `and ${keptAs.name} tables are not searched for it`
  })
})
