import { Effect } from "effect"
import { Home, readCurrent } from "../../../store/home/Home.ts"
import { html, type Html } from "../../pages/html.ts"
import { type PageRequest, gameAddress } from "../PageRequest.ts"
import { command } from "../pageMarks.ts"
import { age, day, parseMillis } from "../dataTable.ts"
import { adviceMarkup } from "../differences/heldNote.ts"
import type { Row, LakeView } from "../LakeReader.ts"
import { listValue } from "@duckdb/node-api"
import { heldLines } from "../../../store/diff/heldAdvice.ts"
import { heldSnapshots } from "../../../store/home/HeldBack.ts"
import { runsWithReport } from "../../../store/home/newRunId.ts"
import { queryNamed } from "../queryNamed.ts"

const runs = queryNamed("runs")

const runsShown = 20

/** Returns the results of the newest runs for every game, and of the runs of `snapshots`, whatever their age. */
export const newestRuns = Effect.fnUntraced(function* (lake: Pick<LakeView, "rows">, snapshots: ReadonlyArray<string>) {
  const home = yield* Home
  const known = yield* runsWithReport
  const request = new Set([...known.slice(-runsShown), ...known.filter((run) => snapshots.includes(run))])
  const files = [...request].map(home.run)
  return files.length === 0 ? [] : yield* lake.rows("Read the run reports", runs, { files: listValue(files) })
})

/** Returns a game's held snapshots since its current one and since any later one that was rolled back. */
export const heldSince = Effect.fnUntraced(function* (gameId: string, present: string) {
  const { history } = yield* readCurrent
  const published = history.flatMap((step) => (step.gameId === gameId ? [step.snapshot] : []))
  const held = yield* heldSnapshots(gameId)
  return held
    .filter(({ manifest }) => [present, ...published].every((snapshot) => manifest.snapshot > snapshot))
    .map((one) => ({
      snapshot: one.manifest.snapshot,
      readAt: one.manifest.extractedAt,
      lines: heldLines(one.manifest, one)
    }))
})

/** A game of the lake with the results of its last runs, newest first. */
export interface MorningGame {
  readonly game: Row
  readonly runs: ReadonlyArray<Row>
  /** True for the demo game. Its dates are fictional, so it is never late. */
  readonly isDemo: boolean
}

/** The age beyond which a nightly lake has missed a night. */
const staleMillis = 36 * 3600 * 1000

/** Returns when the feed was last read: by the reading in the lake, or by a later night that found no change. */
export const lastRead = (game: Row, runs: ReadonlyArray<Row>, nowMillis: number): string =>
  [
    String(game["extracted_at"]),
    ...runs
      .filter(
        (run) =>
          run["game_id"] === game["game_id"] && run["verdict"] === "unchanged" && run["snapshot"] === game["snapshot"]
      )
      .map((run) => String(run["started_at"]))
      .filter((at) => parseMillis(at) <= nowMillis)
  ]
    .sort()
    .at(-1) ?? ""

export const differenceAddress = (gameId: string, pair: Readonly<Record<string, string>>): string =>
  `${gameAddress(gameId, "diff")}?${new URLSearchParams(pair)}`

/** Returns the problems of a game that need a person, each with the next step. */
export const findAlarms = Effect.fnUntraced(function* (request: PageRequest, { game, isDemo, runs }: MorningGame) {
  const { root } = yield* Home
  const gameId = String(game["game_id"])
  const snapshot = String(game["snapshot"])
  const held = yield* heldSince(gameId, snapshot)
  const last = runs.find((run) => run["game_id"] === gameId && run["kind"] === "nightly")
  const read = lastRead(game, runs, request.nowMillis)
  const isLate = !isDemo && request.nowMillis - parseMillis(read) > staleMillis
  const verdict = last?.["verdict"]
  const alarms: ReadonlyArray<readonly [tone: string, says: Html | false]> = [
    ...held.map(
      ({ lines, readAt, snapshot: to }) =>
        [
          "removed",
          html`the night of ${day(readAt)} is held: ${adviceMarkup(root, lines[0])}.
            <a href="${differenceAddress(gameId, { from: snapshot, to })}">See the changes</a>.
            ${adviceMarkup(root, lines[1])}. ${adviceMarkup(root, lines[2])}`
        ] as const
    ),
    [
      "removed",
      (verdict === "missing" || verdict === "failed") &&
        html`the last night ${verdict === "failed" ? "failed" : "did not find the game"}: ${String(last?.["reason"])}.
        Then: ${command(root, "doctor")}`
    ],
    [
      "removed",
      isLate && html`not read for ${age(read, request.nowMillis)}. Read it now: ${command(root, "nightly", gameId)}`
    ],
    [
      "moves",
      game["is_behind"] === true &&
        held.length === 0 &&
        verdict !== "failed" &&
        html`the marketplace has a newer deployment than the lake. Read it: ${command(root, "nightly", gameId)}`
    ]
  ]
  return alarms.flatMap(([tone, says]) =>
    says === false ? [] : [html`<li class="${tone}"><b>${String(game["name"])}</b>: ${says}</li>`]
  )
})
