import { Effect } from "effect"
import { dialectNamed } from "../src/feed/client/RequiredDialect.ts"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { shownText } from "../src/feed/contract/shownText.ts"
import { textTable } from "../src/night/observe/textTable.ts"
import { runReplay, runRefusals, runReworded } from "../src/night/run/runReread.ts"
import { formatAmount, grouped } from "../src/store/diff/formatAmount.ts"
import { writingGame } from "./flags/inHome.ts"
import { printAnswer, Stopped } from "./print/printAnswer.ts"
import type * as specs from "./specs/snapshots.ts"

export const replay = Effect.fnUntraced(function* (input: typeof specs.replay.Input) {
  const { dialect, game, json, refusals, snapshot, why, ...flags } = input
  const about = { gameId: game, wanted: snapshot, why }
  if (dialect !== null) {
    const words = yield* dialectNamed(dialect)
    const done = yield* writingGame(flags, game, runReworded(about, words))
    yield* printAnswer(json, done, rewordedText)
    return yield* done.verdict === "held" ? new Stopped({ code: 3 }) : Effect.void
  }
  if (refusals) {
    const done = yield* writingGame(flags, game, runRefusals(about))
    yield* printAnswer(json, done, refusalsText)
    return yield* done.verdict === "held" ? new Stopped({ code: 3 }) : Effect.void
  }
  const done = yield* writingGame(flags, game, runReplay(game, snapshot))
  yield* printAnswer(json, done, replayText)
  return yield* done.equal ? Effect.void : new Stopped({ code: 1 })
})

const replayText = (found: Effect.Success<ReturnType<typeof runReplay>>): string => {
  const { equal, gameId, seconds, snapshot, tables } = found
  if (equal) {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return `${gameId}: snapshot ${snapshot} rebuilt from its raw pages in ${seconds.toFixed(1)} s: all ${tables.length} tables (${formatAmount(rows, "row")}) are identical, byte for byte`
  }
  const differing = tables.filter((table) => !table.equal)
  return [
    `${gameId}: snapshot ${snapshot} rebuilt from its raw pages: ${differing.length === 1 ? "1 table differs" : `${differing.length} tables differ`}`,
    textTable(
      ["table", "rows on record", "rows now", "file"],
      differing.map(({ isWhole, rebuiltRows, rows, table }) => [
        table,
        grouped(rows),
        grouped(rebuiltRows),
        isWhole ? "as written" : "damaged"
      ])
    ),
    differing.some(({ isWhole }) => !isWhole)
      ? "A damaged file differs from what was written. Repair it with: cardlake doctor --repair"
      : "Another version of Cardlake or DuckDB may write the same rows as different bytes; with the same version, the raw pages were changed. Nothing was published"
  ].join("\n")
}

/** Describes the result of retrying rejected records for people. */
const refusalsText = (done: Effect.Success<ReturnType<typeof runRefusals>>): string => {
  const { before, gameId, reasons, refused, refusedBefore, snapshot, verdict } = done
  const counts = `${gameId}: of ${grouped(refusedBefore)} refused records, the current contract accepts ${grouped(refusedBefore - refused)}`
  if (verdict === "unchanged") return `${counts}; snapshot ${before} is unchanged`
  if (verdict === "published") return `${counts}. Corrected snapshot ${snapshot} is published in place of ${before}`
  return `${counts}. Corrected snapshot ${snapshot} is held: ${shownText(reasons.join("; "))}. Publish it anyway with: cardlake release ${shellWord(gameId)} ${snapshot}`
}

/** Describes the result of rereading raw pages in another dialect for people. */
const rewordedText = (done: Effect.Success<ReturnType<typeof runReworded>>): string => {
  const { before, dialect, externalIds, externalIdsBefore, gameId, prices, pricesBefore, snapshot, verdict } = done
  const words = dialect === null ? "" : ` with the names of ${dialect}`
  const counts = `${gameId}: the raw pages of ${before}${words} have ${formatAmount(prices, "price row")} (${grouped(pricesBefore)} before) and ${formatAmount(externalIds, "external id")} (${grouped(externalIdsBefore)} before)`
  if (verdict === "published") return `${counts}. Snapshot ${snapshot} is published${stillHeldText(done)}`
  if (verdict === "unchanged") {
    return `${counts}, the same as published snapshot ${snapshot}. Nothing was changed${stillHeldText(done)}`
  }
  const held = snapshot === before ? "It stays held" : `Snapshot ${snapshot} is held`
  return `${counts}. ${held}: ${shownText(done.held?.reason ?? done.reasons.join("; "))}`
}

/** Describes a reading that is still held after the replay. */
const stillHeldText = ({ before, gameId, held, verdict }: Effect.Success<ReturnType<typeof runReworded>>): string => {
  if (held === null) return ""
  const since = `\n${gameId} stays held since ${held.since.slice(0, 16).replace("T", " ")} UTC`
  if (held.snapshot === before && verdict === "unchanged") {
    return `${since}, although this is published. The next night ends the hold: cardlake nightly ${shellWord(gameId)}`
  }
  const none = held.snapshot === null ? ". It has no snapshot to replay" : ""
  return `${since}${none}: ${shownText(held.reason)}`
}
