import { Socket } from "node:net"
import { type Context, Effect, Result } from "effect"
import type { Marketplace } from "../../src/feed/client/Marketplace.ts"
import { NotFound } from "../../src/feed/client/MarketplaceError.ts"
import type { ErrorParts } from "../../src/feed/contract/ErrorParts.ts"
import type { BucketState } from "../../src/store/home/bucket/repair/examineBucket.ts"
import type { ViaSetting } from "../../src/night/run/NightSettings.ts"
import type { BackfillState } from "../../src/night/run/backfill/backfillQueue.ts"
import type { NightNeeds, GameVia } from "../../src/night/run/examine/examineVias.ts"
import type { WordsOfPage } from "../../src/night/run/examine/examineWords.ts"
import { shownLines } from "../../src/feed/contract/shownText.ts"
import type { HeldGame } from "../../src/night/observe/heldGames.ts"
import { shortenHeld } from "../../src/store/diff/heldAdvice.ts"
import { screenWidth } from "../../src/night/observe/shortTexts.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { printText } from "../print/printAnswer.ts"
import { showWork } from "../print/standardError.ts"

/** One result of a check. `says` ends with the next step if it is not `ok` or is a `doubt`. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
  /** True if the check passed but needs attention. */
  readonly isDoubt?: true
  /** The held game: not `ok`, but nothing is damaged. */
  readonly held?: Pick<HeldGame, "gameId" | "reasons" | "snapshot"> & { readonly since: string }
  /** True for the finding of a whole night that was held: not `ok`, but the held games have findings of their own. */
  readonly isHeld?: true
  /** Figures of `status`, for programs. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly words?: WordsOfPage
  readonly via?: GameVia
  readonly night?: NightNeeds
  readonly bucket?: BucketState
  readonly backfill?: BackfillState
}

export type Findings<E = never, R = never> = Effect.Effect<ReadonlyArray<Finding>, E, R>

/** Wraps each check, so that its findings are printed as soon as it ends. */
export type Watch = (what: string) => <E, R>(look: Findings<E, R>) => Findings<E, R>

export const finding = <E extends { readonly message: string }, R>(name: string, look: Effect.Effect<string, E, R>) =>
  Effect.map(Effect.result(look), (result): Finding =>
    Result.isSuccess(result) ? { name, ok: true, says: result.success } : failed(name, result.failure)
  )

export const failed = (name: string, error: { readonly message: string }): Finding => ({
  name,
  ok: false,
  says: withoutDoctorAdvice(error)
})

export const doubt = (says: string, name = "doubt"): Finding => ({ name, ok: true, isDoubt: true, says })

export const one = <E extends { readonly message: string }, R>(
  name: string,
  look: Effect.Effect<string, E, R>
): Findings<never, R> => Effect.map(finding(name, look), (found) => [found])

/** The marketplace, or the reason why it cannot be called. */
export type Feed = Result.Result<Context.Context<Marketplace | ViaSetting>, { readonly message: string }>

const hasParts = (error: object): error is { readonly parts: ErrorParts } => "parts" in error

/** Removes the advice to run `cardlake doctor` from a message, because it is running. */
const withoutDoctorAdvice = (error: { readonly message: string }): string => {
  if (!hasParts(error) || error.parts.doctor === null) return error.message
  const { advice, fact } = error.parts
  return `${fact}. ${error instanceof NotFound ? "Check CARDLAKE_URL" : advice}`
}

/** How much a finding needs a person. */
export type Level = "ok" | "warn" | "held" | "bad"

export const findLevel = ({ held, isDoubt, isHeld, ok }: Finding): Level => {
  if (!ok) return held === undefined && isHeld !== true ? "bad" : "held"
  return isDoubt === true ? "warn" : "ok"
}

const marks: Readonly<Record<Level, string>> = { ok: "ok  ", warn: "WARN", held: "HELD", bad: "BAD " }

const indent = " ".repeat(18)

const formatFinding = (finding: Finding): string =>
  `${marks[findLevel(finding)]} ${finding.name.padEnd(12)} ${shownLines(finding.says).replaceAll("\n", `\n${indent}`)}`

/** Returns the findings as rows of a screen. Many held games share one. */
export const toRows = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> => {
  const held = findings.flatMap(({ held, says }) => (held === undefined ? [] : [{ ...held, text: says }]))
  const texts = shortenHeld(held, screenWidth() !== null)
  const first = findings.find((finding) => finding.held !== undefined)
  if (first === undefined || held.every(({ text }, at) => text === texts[at])) return findings
  const says = [`${formatAmount(held.length, "game is", "games are")} held`, ...texts].join("\n")
  return findings.flatMap((finding) => {
    if (finding === first) return [{ ...first, says }]
    return finding.held === undefined ? [finding] : []
  })
}

export const printFindings = (findings: ReadonlyArray<Finding>) =>
  Effect.forEach(findings, (finding) => printText(formatFinding(finding), indent), { discard: true })

/** True if standard output is a pipe, not a terminal or a file. */
const isPiped = (): boolean => !process.stdout.isTTY && process.stdout instanceof Socket

/** A fault, by its text: the check that found it first, and those that found it again. */
type Faults = Map<string, { readonly name: string; readonly again: Array<string> }>

/** Prints a finding for people. A fault is printed once; `faults` collects who else found it. */
const printOnce = (faults: Faults) => (finding: Finding) =>
  Effect.suspend(() => {
    if (finding.ok) return printFindings([finding])
    const known = faults.get(finding.says)
    known?.again.push(finding.name)
    if (known !== undefined) return Effect.void
    faults.set(finding.says, { name: finding.name, again: [] })
    return printFindings([finding])
  })

/** A watch that prints each check and its findings, and at the end the checks that a fault prevented. */
export const showWhenDone = (json: boolean): { readonly watch: Watch; readonly end: Effect.Effect<void> } => {
  const faults: Faults = new Map()
  // The reader of a pipe may print findings later, on the line where the next check shows its progress.
  const watch: Watch = (what) => (look) =>
    Effect.tap(showWork({ what: `Checking ${what}`, json: json || isPiped() })(look), (found) =>
      json ? Effect.void : Effect.forEach(found, printOnce(faults))
    )
  const end = Effect.suspend(() =>
    printFindings(
      [...faults.values()].flatMap(({ again, name }) =>
        again.length === 0 ? [] : [doubt(`${again.join(", ")}: the fault of ${name} prevents it`, "not checked")]
      )
    )
  )
  return { watch, end }
}

/** Returns the exit code. Damage has priority: the code is 3 only if holds are the only findings. */
export const chooseExitCode = (findings: ReadonlyArray<Finding>): number => {
  const wrong = findings.filter(({ ok }) => !ok)
  if (wrong.length === 0) return 0
  return wrong.every((finding) => findLevel(finding) === "held") ? 3 : 1
}
