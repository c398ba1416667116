import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { html, type Html } from "../../pages/html.ts"
import { type PageRequest, gameAddress } from "../PageRequest.ts"
import { command } from "../command.ts"
import { age, day, millisOf } from "../dataTable.ts"
import { releaseCommand } from "../differences/heldNote.ts"
import { heldSince } from "../homeNews.ts"
import type { Row } from "../LakeReader.ts"

/** A game of the lake with what the last runs did, the newest first. */
export interface MorningGame {
  readonly game: Row
  readonly runs: ReadonlyArray<Row>
  /** Its dates are a story's, so nothing of it is late. */
  readonly isDemo: boolean
}

/** Beyond this age, a nightly lake has missed a night. */
const staleMillis = 36 * 3600 * 1000

/** When the feed was last read: the reading in the lake, or a later night that found it unchanged. */
export const lastRead = (game: Row, runs: ReadonlyArray<Row>, nowMillis: number): string =>
  [
    String(game["extracted_at"]),
    ...runs
      .filter(
        (run) =>
          run["game_id"] === game["game_id"] && run["verdict"] === "unchanged" && run["snapshot"] === game["snapshot"]
      )
      .map((run) => String(run["started_at"]))
      .filter((at) => millisOf(at) <= nowMillis)
  ]
    .sort()
    .at(-1) ?? ""

/** The address of what differs between two snapshots. */
export const differenceAddress = (gameId: string, pair: Readonly<Record<string, string>>): string =>
  `${gameAddress(gameId, "diff")}?${new URLSearchParams(pair)}`

/** What somebody has to look at in a game, each with what to do. */
export const alarmsOf = Effect.fnUntraced(function* (asked: PageRequest, { game, isDemo, runs }: MorningGame) {
  const { root } = yield* Home
  const gameId = String(game["game_id"])
  const snapshot = String(game["snapshot"])
  const held = yield* heldSince(gameId, snapshot)
  const last = runs.find((run) => run["game_id"] === gameId && run["kind"] === "nightly")
  const read = lastRead(game, runs, asked.nowMillis)
  const isLate = !isDemo && asked.nowMillis - millisOf(read) > staleMillis
  const alarm = (tone: string, says: Html): Html =>
    html`<li class="${tone}"><b>${String(game["name"])}</b>: ${says}</li>`
  return [
    ...held.map((mark) =>
      alarm(
        "removed",
        html`the night of ${day(mark.readAt)} is held back: ${mark.reasons.join("; ")}.
          <a href="${differenceAddress(gameId, { from: snapshot, to: mark.snapshot })}">See the difference</a>. If it is
          right: ${releaseCommand(root, gameId, mark.snapshot)}. If it is wrong: do nothing, what is published stays`
      )
    ),
    ...(last?.["verdict"] === "missing" || last?.["verdict"] === "failed"
      ? [
          alarm(
            "removed",
            html`the last night ${last["verdict"] === "failed" ? "failed" : "found no such game"}:
            ${String(last["reason"])}. Then: ${command(root, "doctor")}`
          )
        ]
      : []),
    ...(isLate
      ? [
          alarm(
            "removed",
            html`not read for ${age(read, asked.nowMillis)}. Read it now: ${command(root, "nightly", gameId)}`
          )
        ]
      : []),
    ...(game["is_behind"] === true && held.length === 0 && last?.["verdict"] !== "failed"
      ? [
          alarm(
            "moves",
            html`a newer deployment is known than the one in the lake. Read it: ${command(root, "nightly", gameId)}`
          )
        ]
      : [])
  ]
})
