import type { Effect } from "effect"
import { ageText } from "../../src/night/observe/figureTexts.ts"
import { withoutIds } from "../../src/store/diff/heldAdvice.ts"
import { findRatesFault, type readStatus } from "../../src/night/observe/readStatus.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { dryRunCommand } from "../../src/store/home/lock/takeLock.ts"
import { type Finding, findLevel } from "./Finding.ts"
import { describeDisk, type Prunable } from "./describeDisk.ts"
import { missedText, ratesFaultText, zonedMinute } from "./sharedFindings.ts"
import { heldFinding } from "./storedFindings.ts"

/** What `status` reports: what is on disk, and what the command found beside it. */
export type Status = Effect.Success<ReturnType<typeof readStatus>> & {
  /** Why a setting of the schedule cannot be used. */
  readonly scheduleFaults: ReadonlyArray<string>
  readonly prunable: Prunable | null
}

const iso = (millis: number): string => new Date(millis).toISOString()

/** Returns a finding of a step: its text, or why it failed. */
const finding = <A>(
  name: string,
  step: { readonly found: A } | { readonly fault: string },
  says: (found: A) => Omit<Finding, "name"> | null
): ReadonlyArray<Finding> => {
  if ("fault" in step) return [{ name, ok: false, says: step.fault }]
  const found = says(step.found)
  return found === null ? [] : [{ name, ...found }]
}

const isActive = ({ lock }: Status): boolean => lock !== null && !lock.isDead

/** A dead run left its lock: the next night says the same of it. */
const deadFinding = ({ lock, nowMillis }: Status): ReadonlyArray<Finding> => {
  if (lock === null || !lock.isDead || lock.holder.command === dryRunCommand) return []
  const { command, host, pid, startedAt } = lock.holder
  const began = startedAt === "" ? "" : ` that began ${ageText(nowMillis - Date.parse(startedAt))} ago`
  const says = `A run of ${command}${began} (process ${pid} on ${host}) was killed, ran out of memory or lost power. Run it again: cardlake nightly; if that is killed too, give it more memory`
  return [{ name: "killed run", ok: false, says, values: { command, host, pid, startedAt } }]
}

const lakeFinding = ({ lacksLake }: Status): ReadonlyArray<Finding> => {
  const says = "lake.duckdb is missing, so nothing can be queried. Rebuild it: cardlake doctor --repair"
  return lacksLake ? [{ name: "lake", ok: false, says }] : []
}

const noNight = (status: Status): Finding => {
  const isRunning = isActive(status)
  const next = isRunning ? ". A run is active now" : ". Run the first one: cardlake nightly"
  return {
    name: "last night",
    ok: status.hasHome,
    ...(isRunning ? {} : { isDoubt: true }),
    says: status.hasHome
      ? `No night has run yet${next}`
      : "There is no such data directory. Check --home, CARDLAKE_HOME and in which folder your .env is; or run the first night: cardlake nightly",
    values: { startedAt: null, isRunning }
  }
}

const nightFinding = (status: Status): Finding => {
  const { held, night, nowMillis } = status
  if (night === null) return noNight(status)
  const { games, reason, run, seconds, startedAt, verdict } = night
  const endedMillis = Date.parse(startedAt) + 1000 * seconds
  const isRunning = isActive(status)
  const allBad = badGames(status)
  const bad = allBad.filter(({ gameId }) => games.some((game) => game.gameId === gameId))
  const counts = [
    games.length > 0 ? [formatAmount(games.length, "game")] : reason === undefined ? [] : ["before its first game"],
    bad.length > 0 ? [`${bad.length} failed or missing`] : []
  ].flat()
  // A person may have decided since.
  const isHeld = verdict === "held" && ("fault" in held || held.found.length > 0)
  const age = `${verdict}, ended ${ageText(nowMillis - endedMillis)} ago`
  const since = verdict === "held" && !isHeld ? ["no game is held any more"] : []
  const says = `${[age, ...counts, ...since].join(", ")}${isRunning ? ". A run is active now" : ""}`
  return {
    name: "last night",
    ok: verdict !== "failed" && bad.length === 0 && !isHeld,
    ...(isHeld && bad.length === 0 ? { isHeld } : {}),
    says: [says, ...(reason === undefined ? [] : [reason]), ...reasonLines(bad)].join("\n"),
    values: {
      run,
      startedAt,
      endedAt: iso(endedMillis),
      verdict,
      games: games.length,
      failedGames: allBad.map(({ gameId }) => gameId),
      isRunning
    }
  }
}

/** Games that failed or were missing in the last night that read them. */
const badGames = ({ verdicts }: Status) =>
  verdicts.filter(({ verdict }) => verdict === "failed" || verdict === "missing")

/** Games that failed in an earlier night, and that the last one did not read. */
const earlierFinding = (status: Status): ReadonlyArray<Finding> => {
  const read = new Set(status.night?.games.map(({ gameId }) => gameId))
  const bad = badGames(status).filter(({ gameId }) => !read.has(gameId))
  if (bad.length === 0) return []
  const says = `${formatAmount(bad.length, "game")} failed or missing in an earlier night, and not read since`
  return [{ name: "earlier night", ok: false, says: [says, ...reasonLines(bad)].join("\n") }]
}

/** One line for each reason: games that failed alike are named together. */
const reasonLines = (bad: Status["verdicts"]): ReadonlyArray<string> => {
  const alike = Map.groupBy(bad, ({ gameId, reason, requestId, verdict }) => {
    const text = reason ?? ""
    return `${verdict} ${withoutIds(requestId === undefined ? text : text.replaceAll(requestId, "…"), gameId)}`
  })
  return [...alike.values()].map((games) => {
    const [{ gameId, reason, verdict } = { gameId: "", reason: "", verdict: "failed" }, ...others] = games
    const also = others.length === 0 ? "" : `. The same: ${others.map((game) => game.gameId).join(", ")}`
    return `${gameId} ${verdict}: ${reason ?? ""}${also}`
  })
}

/** A missed time is wrong, even if the lake is not yet too old. */
const missedFinding = ({ schedule }: Status): ReadonlyArray<Finding> => {
  const missed = schedule === null ? null : missedText(schedule.missedMillis, schedule.zone)
  if (missed === null) return []
  const says = `${missed}
See what happened, with systemd: journalctl -u cardlake.service; with cron: the mail of its user
Then run it now: cardlake nightly`
  return [{ name: "missed night", ok: false, says }]
}

const nextFinding = ({ nowMillis, schedule, scheduleFaults }: Status): Finding => {
  const name = "next night"
  if (scheduleFaults.length > 0)
    return { name, ok: false, says: ["Not known, nor whether one was missed", ...scheduleFaults].join("\n") }
  if (schedule === null)
    return {
      name,
      ok: true,
      says: 'Not known here. Set CARDLAKE_CRON, such as "0 3 * * *", and CARDLAKE_TZ, and a missed night is reported'
    }
  const { missedMillis, nextMillis, zone } = schedule
  const [first] = missedMillis
  return {
    name,
    ok: true,
    says: `${zonedMinute(nextMillis, zone)}, in ${ageText(nextMillis - nowMillis)}`,
    values: {
      nextAt: iso(nextMillis),
      zone,
      missed: missedMillis.length,
      missedSince: first === undefined ? null : iso(first)
    }
  }
}

const ratesFinding = ({ night, nowMillis, rates }: Status) =>
  finding("rates", rates, (loaded) => {
    const fault = findRatesFault(night === null ? [] : [night], loaded?.loadedMillis ?? 0)
    const age = loaded === null ? 0 : nowMillis - Date.parse(loaded.to)
    // The bank publishes none at weekends and on holidays.
    const isOld = age >= 6 * 86_400_000
    const next = fault !== null ? `\n${ratesFaultText(fault)}` : isOld ? oldRates : ""
    const says =
      loaded === null
        ? "No exchange rates are loaded; nothing is converted"
        : `Exchange rates up to ${loaded.to}, ${ageText(age)} old`
    return {
      ok: true,
      ...(next === "" ? {} : { isDoubt: true as const }),
      says: `${says}${next}`,
      values: { to: loaded?.to ?? null }
    }
  })

const oldRates = ". Set CARDLAKE_FX, and nights load newer ones; or load a file: cardlake fx FILE"

const diskFinding = ({ disk, prunable }: Status): ReadonlyArray<Finding> =>
  disk === null ? [] : finding("disk", disk, (found) => describeDisk(found, prunable))

const watchFinding = ({ watch }: Status): ReadonlyArray<Finding> =>
  watch === null
    ? []
    : finding("watch", watch, (counts) => {
        if (counts === null) return null
        const { isNew, reached, watched } = counts
        const see = reached === 0 ? "" : ". See them: cardlake watch list"
        return {
          ok: true,
          says: `${reached} of ${formatAmount(watched, "watched price")} reached a limit, ${isNew} of them new${see}`,
          values: { watched, reached, new: isNew }
        }
      })

const newsFinding = ({ nowMillis, publications, since }: Status): Finding => {
  const games = [...Map.groupBy(publications, ({ gameId }) => gameId)].map(([game, all]) => [game, all.length] as const)
  const when = since === null ? "" : ` since your last look, ${ageText(nowMillis - since)} ago`
  const says =
    games.length === 0
      ? `Nothing new${when}`
      : `${formatAmount(publications.length, "snapshot")}${when}: ${games.map(([game, count]) => `${game} ${count}`).join(", ")}`
  const values = {
    since: since === null ? null : iso(since),
    snapshots: publications.length,
    games: Object.fromEntries(games)
  }
  return { name: "published", ok: true, says, values }
}

const rankFinding = (finding: Finding): number => {
  const level = findLevel(finding)
  // A full disk explains what else is wrong.
  return level === "bad" && finding.name === "disk" ? -1 : ["bad", "held", "warn", "ok"].indexOf(level)
}

/** Returns all findings, those that need a person first. */
export const statusFindings = (status: Status): ReadonlyArray<Finding> => {
  const { age, held, newestReadMillis } = status
  const all: ReadonlyArray<Finding> = [
    ...deadFinding(status),
    ...lakeFinding(status),
    nightFinding(status),
    ...earlierFinding(status),
    ...("fault" in held ? finding("held", held, () => null) : held.found.map(heldFinding)),
    // A missed night explains an old lake.
    ...missedFinding(status),
    nextFinding(status),
    ...finding("age", age, (says) => ({
      ok: true,
      says,
      values: { readAt: newestReadMillis === null ? null : iso(newestReadMillis) }
    })),
    ...ratesFinding(status),
    ...diskFinding(status),
    ...watchFinding(status),
    newsFinding(status)
  ]
  return all.toSorted((a, b) => rankFinding(a) - rankFinding(b))
}
