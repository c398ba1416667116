import type { Effect } from "effect"
import { ageText, bytesText } from "../../src/night/observe/figureTexts.ts"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import type { readStatus } from "../../src/night/observe/readStatus.ts"
import type { PrunePlan } from "../../src/night/run/planPrune.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { dryRunCommand } from "../../src/store/home/lock/LockHolder.ts"
import { type Finding, findLevel } from "./Finding.ts"
import { missedText, zonedMinute } from "./sharedFindings.ts"
import { heldFinding } from "./storedFindings.ts"

/** What a prune by age would free; null if the disk has room, or nothing can be deleted. */
export interface Prunable {
  readonly keepDays: number
  readonly plan: PrunePlan
  /** Folders with raw pages that it deletes, the largest first. */
  readonly pages: ReadonlyArray<{ readonly folder: string; readonly bytes: number }>
}

/** What `status` reports: what is on disk, and what the command found beside it. */
export type Status = Effect.Success<ReturnType<typeof readStatus>> & {
  /** Why a setting of the schedule cannot be used. */
  readonly scheduleFaults: ReadonlyArray<string>
  readonly prunable: Prunable | null
}

/** A finding with its figures, for programs. */
type Valued = Finding & { readonly values?: Readonly<Record<string, unknown>> }

const iso = (millis: number): string => new Date(millis).toISOString()

/** Returns a finding of a step: its text, or why it failed. */
const finding = <A>(
  name: string,
  step: { readonly found: A } | { readonly fault: string },
  says: (found: A) => Omit<Valued, "name"> | null
): ReadonlyArray<Valued> => {
  if ("fault" in step) return [{ name, ok: false, says: step.fault }]
  const found = says(step.found)
  return found === null ? [] : [{ name, ...found }]
}

const isActive = ({ lock }: Status): boolean => lock !== null && !lock.isDead

/** A dead run left its lock: the next night says the same of it. */
const deadFinding = ({ lock, nowMillis }: Status): ReadonlyArray<Valued> => {
  if (lock === null || !lock.isDead || lock.holder.command === dryRunCommand) return []
  const { command, host, pid, startedAt } = lock.holder
  const began = startedAt === "" ? "" : ` that began ${ageText(nowMillis - Date.parse(startedAt))} ago`
  const says = `A run of ${command}${began} (process ${pid} on ${host}) was killed, ran out of memory or lost power. Run it again: cardlake nightly; if that is killed too, give it more memory`
  return [{ name: "killed run", ok: false, says, values: { command, host, pid, startedAt } }]
}

const lakeFinding = ({ lacksLake }: Status): ReadonlyArray<Valued> =>
  lacksLake
    ? [
        {
          name: "lake",
          ok: false,
          says: "lake.duckdb is missing, so nothing can be queried. Rebuild it: cardlake doctor --repair"
        }
      ]
    : []

const noNight = (status: Status): Valued => {
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

const nightFinding = (status: Status): Valued => {
  const { held, night, nowMillis } = status
  if (night === null) return noNight(status)
  const { games, reason, run, seconds, startedAt, verdict } = night
  const endedMillis = Date.parse(startedAt) + 1000 * seconds
  const isRunning = isActive(status)
  const bad = status.verdicts.filter((game) => game.verdict === "failed" || game.verdict === "missing")
  const counts = [
    games.length > 0 ? [formatAmount(games.length, "game")] : reason === undefined ? [] : ["before its first game"],
    bad.length > 0 ? [`${bad.length} of ${formatAmount(status.verdicts.length, "game")} failed or missing`] : []
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
      failedGames: bad.map(({ gameId }) => gameId),
      isRunning
    }
  }
}

/** One line for each reason: games that failed alike are named together. */
const reasonLines = (bad: Status["verdicts"]): ReadonlyArray<string> => {
  const alike = Map.groupBy(
    bad,
    ({ gameId, reason, verdict }) =>
      `${verdict} ${reason
        ?.split(/([\w-]+)/)
        .map((word) => (word === gameId ? "…" : word))
        .join("")}`
  )
  return [...alike.values()].map((games) => {
    const [{ gameId, reason, verdict } = { gameId: "", reason: "", verdict: "failed" }, ...others] = games
    const also = others.length === 0 ? "" : `. The same: ${others.map((game) => game.gameId).join(", ")}`
    return `${gameId} ${verdict}: ${reason}${also}`
  })
}

/** A missed time is wrong, even if the lake is not yet too old. */
const missedFinding = ({ schedule }: Status): ReadonlyArray<Valued> => {
  const missed = schedule === null ? null : missedText(schedule.missedMillis, schedule.zone)
  if (missed === null) return []
  const says = `${missed}
See what happened, with systemd: journalctl -u cardlake.service; with cron: the mail of its user
Then run it now: cardlake nightly`
  return [{ name: "missed night", ok: false, says }]
}

const nextFinding = ({ nowMillis, schedule, scheduleFaults }: Status): Valued => {
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

const ratesFinding = ({ nowMillis, rates }: Status) =>
  finding("rates", rates, (loaded) => {
    if (loaded === null) return { ok: true, says: "No exchange rates are loaded; nothing is converted" }
    const { to } = loaded
    const age = nowMillis - Date.parse(to)
    const says = `Exchange rates up to ${to}, ${ageText(age)} old`
    // The bank publishes none at weekends and on holidays.
    return age < 6 * 86_400_000
      ? { ok: true, says, values: { to } }
      : {
          ok: true,
          isDoubt: true,
          says: `${says}. Set CARDLAKE_FX, and nights load newer ones; or load a file: cardlake fx FILE`,
          values: { to }
        }
  })

/** Returns how old nights free space. `isFull`: a prune, which also builds a second lake, has no room either. */
const pruneText = (prunable: Prunable | null, isFull: boolean): string => {
  if (prunable === null) return "Old nights free nothing here. Delete other files, or move the home to a larger disk"
  const { keepDays, pages, plan } = prunable
  const nights = plan.games.reduce((sum, { removed }) => sum + removed.length, 0)
  const snapshots = `${formatAmount(nights, "old snapshot")}, which frees about ${bytesText(plan.bytes)}: cardlake prune --keep-days ${keepDays} --yes`
  if (!isFull) return `Delete ${snapshots}`
  const [largest] = pages
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0)
  const byHand =
    largest === undefined
      ? ""
      : `, or raw pages of old nights by hand, ${bytesText(total)} in all: rm -r ${shellWord(largest.folder)}`
  return `A prune needs as much room as a night. First delete other files${byHand}\nThen delete ${snapshots}`
}

/** True if the disk has no room for the second lake of a night; null if it is unknown. */
const lacksRoom = (freeBytes: number, lakeBytes: number): boolean => freeBytes < Math.max(lakeBytes, minFreeBytes)

/** Even a small home needs room for its pages, and for the report of a night. */
const minFreeBytes = 10e6

/** True if the disk may have no room for the next nights, so that a prune is advised. */
export const isNearlyFull = ({ freeBytes, lakeBytes }: { freeBytes: number; lakeBytes: number }): boolean =>
  freeBytes < 2 * Math.max(lakeBytes, minFreeBytes)

/** A night needs room for a second lake; with less than twice that, the one after it may not have enough. */
const diskFinding = ({ disk, prunable }: Status): ReadonlyArray<Valued> =>
  disk === null
    ? []
    : finding("disk", disk, ({ freeBytes, homeBytes, lakeBytes }) => {
        const values = { freeBytes, homeBytes, lakeBytes, prunableBytes: prunable?.plan.bytes ?? null }
        const says = `${bytesText(freeBytes)} free; the data directory has ${bytesText(homeBytes)}`
        if (!isNearlyFull({ freeBytes, lakeBytes })) return { ok: true, says, values }
        const needs = `${says}. A night needs more than ${bytesText(Math.max(lakeBytes, minFreeBytes))}`
        if (!lacksRoom(freeBytes, lakeBytes))
          return { ok: true, isDoubt: true, says: `${needs}\n${pruneText(prunable, false)}`, values }
        return {
          ok: false,
          says: `${needs}. Until then nights fail, and may leave no report\n${pruneText(prunable, true)}`,
          values
        }
      })

const watchFinding = ({ watch }: Status): ReadonlyArray<Valued> =>
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

const newsFinding = ({ nowMillis, publications, since }: Status): Valued => {
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
export const statusFindings = (status: Status): ReadonlyArray<Valued> => {
  const { age, held, newestReadMillis } = status
  const all: ReadonlyArray<Valued> = [
    ...deadFinding(status),
    ...lakeFinding(status),
    nightFinding(status),
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
