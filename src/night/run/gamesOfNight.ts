import { Effect, Runtime, Schema } from "effect"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { listGames, type RefusedGame } from "../../feed/reading/listGames.ts"
import type { Current } from "../../store/home/Home.ts"
import { failedGame, unreadReport } from "./commitRun.ts"
import { publishedGames } from "../observe/examineAge.ts"
import type { GameReport } from "../observe/RunReport.ts"
import { isFolderName } from "../../feed/contract/Ids.ts"

/** Returns a feed's id for a report: shortened, and without control characters. */
export const shownId = (gameId: string): string => {
  const text = gameId.replaceAll(/\p{Cc}/gu, "\u{fffd}").toWellFormed()
  return text.length > 100 ? `${text.slice(0, 99).toWellFormed()}…` : text
}

/** Returns why new games cannot have a folder, by game. Games with a usable id are omitted. */
export const faultsOfNames = (
  gameIds: ReadonlyArray<string>,
  inLake: ReadonlySet<string>
): ReadonlyMap<string, string> => {
  const faults = new Map<string, string>()
  const existing = new Map([...inLake].map((gameId) => [gameId.toLowerCase(), gameId]))
  for (const gameId of gameIds.filter((gameId) => !inLake.has(gameId))) {
    const other = existing.get(gameId.toLowerCase())
    if (!isFolderName(gameId)) faults.set(gameId, `The game id ${JSON.stringify(shownId(gameId))} cannot name a folder`)
    else if (other === undefined) existing.set(gameId.toLowerCase(), gameId)
    else
      faults.set(
        gameId,
        `The game ids ${gameId} and ${other} differ only in case, and some disks would mix their files`
      )
  }
  return faults
}

/** A named game is not on the marketplace, so the command line is wrong. */
export class GameUnknown extends Schema.TaggedError<GameUnknown>()("GameUnknown", {
  wanted: Schema.Array(Schema.String),
  offered: Schema.Array(Schema.String),
  /** The requested games that the lake has. */
  kept: Schema.Array(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    const kept =
      this.kept.length === 0 ? "" : `. The lake keeps what it has of ${this.kept.join(", ")}: cardlake snapshots`
    return `The marketplace has no game ${this.wanted.join(", ")}. It has: ${this.offered.join(", ")}${kept}`
  }
}

/** The games to read, and verdicts for the others: unlisted, refused, or with ids that name no folder. */
export const gamesOfNight = Effect.fnUntraced(function* (named: ReadonlyArray<string>, current: Current) {
  const { gameIds, page, refused } = yield* listGames
  const offered = new Set(gameIds)
  const inLake = new Map(Object.entries(current.games))
  const notRead = new Map(
    refused.flatMap((one) => {
      const gameId = one.gameId ?? formatPlace(one)
      return offered.has(gameId) ? [] : [[gameId, one] as const]
    })
  )
  const unknown = named.filter((gameId) => !offered.has(gameId) && !notRead.has(gameId))
  if (unknown.length > 0) {
    const kept = unknown.filter((gameId) => inLake.has(gameId))
    return yield* new GameUnknown({ wanted: unknown, offered: gameIds, kept })
  }
  const isWanted = (gameId: string) => named.length === 0 || named.includes(gameId)
  const nameFaults = faultsOfNames(gameIds, new Set(inLake.keys()))
  const wanted = [...new Set(named.length > 0 ? named : gameIds)].filter(
    (gameId) => offered.has(gameId) && !nameFaults.has(gameId)
  )

  const unlisted = [...inLake].filter(([gameId]) => isWanted(gameId) && !offered.has(gameId))
  // An unreadable report only removes the time of the last reading from the verdict.
  const known = unlisted.length === 0 ? [] : yield* Effect.orElseSucceed(publishedGames, () => [])
  const missing = unlisted.map(([gameId, { snapshot }]) => {
    const readMillis = known.find((game) => game.gameId === gameId)?.readMillis ?? Number.NaN
    const since = Number.isNaN(readMillis) ? "" : `; it was last read at ${new Date(readMillis).toISOString()}`
    const record = notRead.get(gameId)
    const reason =
      record === undefined
        ? `The marketplace no longer lists it${since}. The lake keeps what it has of it. Ask the marketplace whether it was withdrawn or renamed; to continue without it, name the others: ${["cardlake nightly", ...wanted].join(" ")}`
        : `${refusalText(record)}, so it was not read${since}. The lake keeps what it has of it. Report it to the marketplace, then run it again: cardlake nightly ${shellWord(gameId)}`
    return unreadReport({ gameId, verdict: "missing", reason, snapshot, seconds: 0 })
  })
  const unnamed = [...nameFaults].filter(([gameId]) => isWanted(gameId))
  const newUnread = [...notRead].filter(([gameId]) => isWanted(gameId) && !inLake.has(gameId))
  return {
    page,
    wanted,
    unread: [
      ...missing,
      ...unnamed.map(([gameId, reason]) => failed(gameId, `${reason}, so it was not read`)),
      ...newUnread
        .slice(0, maxRefusedVerdicts)
        .map(([gameId, record]) => failed(gameId, `${refusalText(record)}, so it was not read`)),
      ...newUnread
        .slice(maxRefusedVerdicts, maxRefusedVerdicts + 1)
        .map(([, record]) =>
          failed(
            `${formatPlace(record)} and later`,
            `The contract refuses ${newUnread.length - maxRefusedVerdicts} more records of the list of games`
          )
        )
    ]
  }
})

/** Max rejected records with a separate verdict. A list may consist of such records. */
const maxRefusedVerdicts = 100

const formatPlace = ({ index }: RefusedGame): string => `games[${index}]`

const refusalText = ({ index, path, reason }: RefusedGame): string =>
  `The marketplace lists it with a record that the contract refuses (record ${index} of GET /v1/games, ${path === "" ? reason : `${path}: ${reason}`})`

const failed = (gameId: string, reason: string): GameReport =>
  failedGame(shownId(gameId), `${reason}. Report it to the marketplace`)
