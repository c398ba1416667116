import { Effect } from "effect"
import { ageText, bytesText } from "../src/night/observe/figureTexts.ts"
import { readStatus, recordLook } from "../src/night/observe/readStatus.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { Home } from "../src/store/home/Home.ts"
import { parseCronSetting } from "./flags/cronFlags.ts"
import { findBucket, inHome, readNeedsIfAny } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { chooseExitCode, type Finding, formatFinding, indent } from "./lake/Finding.ts"
import { heldFinding } from "./lake/storedFindings.ts"
import { printJson, printText, Stopped } from "./print/printAnswer.ts"
import { homeServices } from "./settings/services.ts"
import { readSetting } from "./settings/settingsProvider.ts"
import type * as specs from "./specs/setup.ts"
import type { Input } from "./specs/spec.ts"

type Status = Effect.Success<ReturnType<typeof readStatus>>

const minute = (millis: number): string => `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

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
  if (lock === null || !lock.isDead) return []
  const { command, host, pid, startedAt } = lock.holder
  const began = startedAt === "" ? "" : ` that began ${ageText(nowMillis - Date.parse(startedAt))} ago`
  const says = `A run of ${command}${began} (process ${pid} on ${host}) was killed, ran out of memory or lost power. Run it again: cardlake nightly; if that is killed too, give it more memory`
  return [{ name: "killed run", ok: false, says }]
}

const lakeFinding = ({ lacksLake }: Status): ReadonlyArray<Finding> =>
  lacksLake
    ? [
        {
          name: "lake",
          ok: false,
          says: "lake.duckdb is missing, so nothing can be queried. Rebuild it: cardlake doctor --repair"
        }
      ]
    : []

const nightFinding = (status: Status): Finding => {
  const { night, nowMillis } = status
  const isRunning = isActive(status)
  const running = isRunning ? ". A run is active now" : ""
  if (night === null)
    return {
      name: "last night",
      ok: true,
      ...(isRunning ? {} : { isDoubt: true }),
      says: status.hasHome
        ? `No night has run yet${running || ". Run the first one: cardlake nightly"}`
        : "There is no such data directory. Check --home, CARDLAKE_HOME and in which folder your .env is; or run the first night: cardlake nightly"
    }
  const { games, reason, startedAt, verdict } = night
  const age = `${ageText(nowMillis - Date.parse(startedAt))} ago`
  const bad = status.verdicts.filter((game) => game.verdict === "failed" || game.verdict === "missing")
  const counts = [
    games.length > 0 ? [formatAmount(games.length, "game")] : reason === undefined ? [] : ["before its first game"],
    bad.length > 0 ? [`${bad.length} of ${formatAmount(status.verdicts.length, "game")} failed or missing`] : []
  ].flat()
  const says = [`${[`${verdict} ${age}`, ...counts].join(", ")}${running}`, ...(reason === undefined ? [] : [reason])]
  return {
    name: "last night",
    ok: verdict !== "failed" && bad.length === 0,
    says: [...says, ...reasonLines(bad)].join("\n")
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
const scheduleFinding = (status: Status): Finding => {
  const { nowMillis, schedule } = status
  const name = "next night"
  if (schedule === null)
    return {
      name,
      ok: true,
      says: 'Not known here. Set CARDLAKE_CRON, such as "0 3 * * *", and CARDLAKE_TZ, and a missed night is reported'
    }
  const { missedMillis, nextMillis } = schedule
  const next = `${minute(nextMillis)}, in ${ageText(nextMillis - nowMillis)}`
  if (missedMillis === null || isActive(status)) return { name, ok: true, says: next }
  return {
    name,
    ok: false,
    says: `The night of ${minute(missedMillis)} did not run, or ended before it could write a report; the next one is at ${next}.
See what happened, with systemd: journalctl -u cardlake.service; with cron: the mail of its user.
Then run it now: cardlake nightly`
  }
}

const ratesFinding = ({ nowMillis, rates }: Status) =>
  finding("rates", rates, (loaded) => {
    if (loaded === null) return { ok: true, says: "No exchange rates are loaded; nothing is converted" }
    const age = nowMillis - Date.parse(loaded.to)
    const says = `Exchange rates up to ${loaded.to}, ${ageText(age)} old`
    // The bank publishes none at weekends and on holidays.
    return age < 6 * 86_400_000
      ? { ok: true, says }
      : {
          ok: true,
          isDoubt: true,
          says: `${says}. Set CARDLAKE_FX, and nights load newer ones; or load a file: cardlake fx FILE`
        }
  })

/** A night needs room for a second lake; with less than twice that, the one after it may not have enough. */
const diskFinding = ({ disk }: Status): ReadonlyArray<Finding> =>
  disk === null
    ? []
    : finding("disk", disk, ({ freeBytes, homeBytes, lakeBytes }) => {
        const says = `${bytesText(freeBytes)} free; the data directory has ${bytesText(homeBytes)}`
        if (freeBytes >= 2 * lakeBytes) return { ok: true, says }
        const needs = `${says}. A night needs more than ${bytesText(lakeBytes)}`
        const prune = "delete old nights: cardlake prune --keep-days 90"
        if (freeBytes >= lakeBytes) return { ok: true, isDoubt: true, says: `${needs}. Free some, or ${prune}` }
        return { ok: false, says: `${needs}\nFree some on this disk first; then ${prune}` }
      })

const watchFinding = ({ watch }: Status): ReadonlyArray<Finding> =>
  watch === null
    ? []
    : finding("watch", watch, (counts) => {
        if (counts === null) return null
        const { isNew, reached, watched } = counts
        const see = reached === 0 ? "" : ". See them: cardlake watch list"
        return {
          ok: true,
          says: `${reached} of ${formatAmount(watched, "watched price")} reached a limit, ${isNew} of them new${see}`
        }
      })

const newsFinding = ({ nowMillis, publications, since }: Status): Finding => {
  const games = [...Map.groupBy(publications, ({ gameId }) => gameId)].map(([game, all]) => `${game} ${all.length}`)
  const when = since === null ? "" : ` since your last look, ${ageText(nowMillis - since)} ago`
  const says =
    games.length === 0
      ? `Nothing new${when}`
      : `${formatAmount(publications.length, "snapshot")}${when}: ${games.join(", ")}`
  return { name: "published", ok: true, says }
}

/** Returns all findings, those that need a person first. */
export const statusFindings = (status: Status): ReadonlyArray<Finding> => {
  const all: ReadonlyArray<Finding> = [
    ...deadFinding(status),
    ...lakeFinding(status),
    nightFinding(status),
    ...("fault" in status.held ? finding("held", status.held, () => null) : status.held.found.map(heldFinding)),
    ...finding("age", status.age, (says) => ({ ok: true, says })),
    scheduleFinding(status),
    ...ratesFinding(status),
    ...diskFinding(status),
    ...watchFinding(status),
    newsFinding(status)
  ]
  // A full disk explains what else is wrong.
  const rank = ({ held, isDoubt, name, ok }: Finding) =>
    ok ? (isDoubt === true ? 3 : 4) : held === undefined ? (name === "disk" ? 0 : 1) : 2
  return all.toSorted((a, b) => rank(a) - rank(b))
}

/** Prints how things stand on one screen, from what is on disk. */
export const status = Effect.fnUntraced(function* ({ json, maxAge, ...flags }: Input<typeof specs.status>) {
  const settings = toSettings(flags)
  const bucket = yield* findBucket(settings)
  const cron = yield* parseCronSetting(
    yield* readSetting(settings, "CARDLAKE_CRON"),
    yield* readSetting(settings, "CARDLAKE_TZ")
  )
  const { address, found } = yield* inHome(settings, { work: readNeedsIfAny("recent"), services: homeServices }, () =>
    Effect.gen(function* () {
      const address = bucket ?? (yield* Home).root
      return { address, found: yield* readStatus(address, { cron, isRemote: bucket !== null, maxAge }) }
    })
  ).pipe(Effect.scoped)
  const findings = statusFindings(found)
  const wrong = findings.filter(({ isDoubt, ok }) => !ok || isDoubt === true).length
  if (json) yield* printJson({ home: address, at: new Date(found.nowMillis).toISOString(), findings })
  else {
    const head =
      wrong === 0 ? "nothing needs attention" : `${formatAmount(wrong, "thing needs", "things need")} attention`
    yield* printText(`${address}: ${head}`)
    yield* Effect.forEach(findings, (one) => printText(formatFinding(one), indent))
    yield* recordLook(address, found.nowMillis)
  }
  const code = chooseExitCode(findings)
  if (code !== 0) return yield* new Stopped({ code })
})
