import { Effect } from "effect"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import {
  backfillPartFiles,
  listBackfillParts,
  type BackfillPartFolder,
  answerFile,
  readLedger,
  spanKey
} from "../../home/backfill/backfillLedger.ts"
import { foldersIn, isThere, FileDamaged, verifyFile } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { spansIn } from "./backfillFiles.ts"

export const backfilledGames = Effect.flatMap(Home, ({ backfill }) => foldersIn(backfill, "game="))

/** Returns a game's parts after verifying every byte. */
export const wholeParts = Effect.fnUntraced(function* (gameId: string) {
  const parts = yield* listBackfillParts(gameId)
  yield* Effect.forEach(parts.flatMap(backfillPartFiles), verifyFile, { concurrency: 4, discard: true })
  return parts
})

/** Returns the message without its next step, which is a different one for an answer. */
export const saysDamage = (fault: { readonly message: string }): string =>
  fault instanceof FileDamaged ? `${fault.file} is damaged: ${fault.what}` : fault.message

/** Returns a sentence per damaged answer, by file. A missing answer is no damage if the history has its rows. */
export const damagedAnswers = Effect.fnUntraced(function* (gameId: string, parts: ReadonlyArray<BackfillPartFolder>) {
  const known = yield* spansIn(parts)
  const found: Array<{ readonly file: string; readonly says: string }> = []
  for (const entry of (yield* readLedger(gameId)).values()) {
    if (entry.sha256 === undefined) continue
    const file = yield* answerFile(gameId, entry)
    if (!isThere(file) && known.has(spanKey(entry))) continue
    const looked = yield* Effect.result(
      verifyFile({ file, sizeBytes: entry.sizeBytes ?? null, sha256: [entry.sha256] })
    )
    if (looked._tag === "Success") continue
    const { failure } = looked
    found.push({
      file,
      says:
        failure instanceof FileDamaged
          ? `${saysDamage(failure)}. Request it again with: cardlake backfill ${shellWord(gameId)}`
          : failure.message
    })
  }
  return found as ReadonlyArray<{ readonly file: string; readonly says: string }>
})

/** Returns answers older than a time whose rows are in the intact history, so that their files can be deleted. */
export const prunableAnswers = Effect.fnUntraced(function* (beforeMillis: number) {
  const found: Array<string> = []
  for (const gameId of yield* backfilledGames) {
    const known = yield* spansIn(yield* Effect.orElseSucceed(wholeParts(gameId), () => []))
    for (const entry of (yield* readLedger(gameId)).values()) {
      if (entry.sha256 === undefined || Date.parse(entry.at) >= beforeMillis || !known.has(spanKey(entry))) continue
      const file = yield* answerFile(gameId, entry)
      if (isThere(file)) found.push(file)
    }
  }
  return found as ReadonlyArray<string>
})
