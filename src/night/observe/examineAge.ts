import { Clock, Duration, Effect } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { clockSlackMillis } from "../../store/home/newRunId.ts"
import { changelogHead } from "../../feed/reading/changelogEntries.ts"
import { readSnapshots, readSnapshot } from "../../store/home/Manifest.ts"
import { ageText } from "./figureTexts.ts"
import { heldGames } from "./heldGames.ts"
import { readCurrent, Home } from "../../store/home/Home.ts"
import { snapshotsAreThere } from "../../store/lake/repair/damages.ts"
import { listRuns } from "./RunReport.ts"

/**
 * Every published game with its deployment, and when the feed last confirmed it: when its snapshot was read, or the
 * start of a later unchanged night. Empty before the first night.
 */
export const publishedGames = Effect.gen(function* () {
  const home = yield* Home
  const { games } = yield* Effect.tap(readCurrent, snapshotsAreThere)
  // An unreadable report only omits nights that found nothing new.
  const runs = yield* Effect.orElseSucceed(listRuns, () => [])
  // A run dated in the future had a wrong clock, and its real time is unknown.
  const now = yield* Clock.currentTimeMillis
  const past = runs.filter((run) => Date.parse(run.startedAt) <= now + clockSlackMillis)
  return yield* Effect.forEach(
    Object.entries(games),
    Effect.fnUntraced(function* ([gameId, { snapshot }]) {
      const { manifest } = yield* readSnapshot(home.snapshot(gameId, snapshot))
      const unchanged = past.filter((run) =>
        run.games.some((game) => game.gameId === gameId && game.verdict === "unchanged" && game.snapshot === snapshot)
      )
      const instants = [manifest.extractedAt, ...unchanged.map((run) => run.startedAt)].map((at) => Date.parse(at))
      return { gameId, deploymentId: manifest.deploymentId, readMillis: Math.max(...instants) }
    })
  )
})

/** Returns the time of the newest reading of any game; null before the first night. */
export const newestReading = (games: Effect.Success<typeof publishedGames>): number | null =>
  games.length === 0 ? null : Math.max(...games.map((game) => game.readMillis))

/** Returns the age of the lake. Fails if it exceeds the limit. Before the first night it has no age. */
export const lakeAge = Effect.fnUntraced(function* (maxAge: Duration.Duration) {
  const games = yield* publishedGames
  const newest = newestReading(games)
  if (newest === null) return "No night has been published yet"
  const now = yield* Clock.currentTimeMillis
  const ahead = games.filter((game) => game.readMillis > now + clockSlackMillis).map((game) => game.gameId)
  const [first] = ahead
  if (first !== undefined)
    return yield* new Fault(
      "LakeAhead",
      `The newest readings of ${ahead.join(", ")} are in the future. Check the clock of this machine; if it was wrong when they were read, take them back with: cardlake rollback ${shellWord(first)}`
    )
  const age = now - newest
  if (age > Duration.toMillis(maxAge)) {
    const held = Math.max(...(yield* heldGames).map(({ readMillis }) => readMillis))
    if (now - held <= Duration.toMillis(maxAge)) {
      return `The newest published reading began ${ageText(age)} ago; one that began ${ageText(now - held)} ago is held`
    }
    return yield* new Fault(
      "LakeOld",
      `The newest reading began ${ageText(age)} ago, more than ${Duration.format(maxAge)}. See why with: cardlake runs; then run: cardlake nightly`
    )
  }
  return `The newest reading began ${ageText(age)} ago`
})

/**
 * Compares each game's changelog head with the last reading, published or held. A newer head is normal and read by the
 * next night. It is a fault only if the game was not read within the limit.
 */
export const feedAhead = Effect.fnUntraced(function* (maxAge: Duration.Duration) {
  const games = yield* publishedGames
  const held = new Map((yield* heldGames).map((game) => [game.gameId, game]))
  const now = yield* Clock.currentTimeMillis
  const heads = yield* Effect.forEach(
    games,
    ({ gameId }) =>
      // A game that the feed no longer has is not behind.
      Effect.catchTag(changelogHead(gameId), "NotFound", () => Effect.succeed(null)),
    { concurrency: 3 }
  )
  const moved = games.flatMap((game, index) => {
    const head = heads[index]
    return head === undefined || head === null || head.id === game.deploymentId ? [] : [{ ...game, head }]
  })
  const judged = yield* Effect.forEach(
    moved,
    Effect.fnUntraced(function* ({ deploymentId, gameId, head, readMillis }) {
      const waiting = held.get(gameId)
      if (waiting?.deploymentId === head.id) return { read: `${gameId} (held)` }
      const stored = yield* readSnapshots(gameId)
      if (stored.some(({ manifest }) => manifest.deploymentId === head.id))
        return { read: `${gameId} (an earlier night)` }
      const age = now - Math.max(readMillis, waiting?.readMillis ?? 0)
      const says = `${gameId} has ${deploymentId ?? "no deployment"}, the feed ${head.id} since ${head.deployedAt ?? "an unknown time"}`
      return { says, late: age > Duration.toMillis(maxAge) }
    })
  )
  const read = judged.flatMap((game) => game.read ?? [])
  const behind = judged.flatMap((game) => (game.read === undefined ? [game] : []))
  const late = behind.filter((game) => game.late)
  if (late.length > 0)
    return yield* new Fault(
      "GamesBehind",
      `The marketplace has newer data, and these games were not read in time: ${late.map((game) => game.says).join("; ")}. See why with: cardlake runs; then run: cardlake nightly`
    )
  if (games.length === 0) return "No night has been published yet"
  if (behind.length > 0)
    return `The marketplace has newer data, which the next night reads: ${behind.map((game) => game.says).join("; ")}`
  return read.length === 0
    ? "The lake has the newest deployment of every game"
    : `The newest deployment of every game was read, but is not published: ${read.join(", ")}`
})
