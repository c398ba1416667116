import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { bytesText } from "../../src/night/observe/figureTexts.ts"
import type { PrunePlan } from "../../src/night/run/runPrune.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import type { Finding } from "./Finding.ts"

/** What a prune would free; null if the disk has room, or nothing can be deleted. */
export interface Prunable {
  /** The flags of the prune. */
  readonly rule: string
  readonly plan: PrunePlan
  /** Folders with raw pages that it deletes, the largest first. */
  readonly pages: ReadonlyArray<{ readonly folder: string; readonly bytes: number }>
}

/** Names what a prune deletes, or has deleted. */
export const prunedText = ({ answers, games, reports }: Pick<PrunePlan, "answers" | "games" | "reports">): string => {
  const snapshots = games.reduce((sum, { removed }) => sum + removed.length, 0)
  const backfills = answers === 0 ? "" : `, ${formatAmount(answers, "raw answer")} of backfills`
  return `${formatAmount(snapshots, "snapshot")} with changes and raw pages, ${formatAmount(reports.length, "run report")}${backfills}`
}

/** Returns how old nights free space. `isFull`: a prune, which also builds a second lake, has no room either. */
const pruneText = (prunable: Prunable | null, isFull: boolean): string => {
  if (prunable === null) return "Old nights free nothing here. Delete other files, or move the home to a larger disk"
  const { pages, plan, rule } = prunable
  const snapshots = `${prunedText(plan)}, which frees about ${bytesText(plan.bytes)}: cardlake prune ${rule} --yes`
  if (!isFull) return `Delete ${snapshots}`
  const [largest] = pages
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0)
  const byHand =
    largest === undefined
      ? ""
      : `, or raw pages of old nights by hand, ${bytesText(total)} in all: rm -r ${shellWord(largest.folder)}`
  return `A prune needs as much room as a night. First delete other files${byHand}\nThen delete ${snapshots}`
}

/** Even a small home needs room for its pages, and for the report of a night. */
const minFreeBytes = 10e6

/** True if the disk may have no room for the next nights, so that a prune is advised. */
export const isNearlyFull = ({ freeBytes, lakeBytes }: { freeBytes: number; lakeBytes: number }): boolean =>
  freeBytes < 2 * Math.max(lakeBytes, minFreeBytes)

/** A night needs room for a second lake; with less than twice that, the one after it may not have enough. */
export const describeDisk = (
  { freeBytes, homeBytes, lakeBytes }: Record<"freeBytes" | "homeBytes" | "lakeBytes", number>,
  prunable: Prunable | null
): Omit<Finding, "name"> => {
  const values = { freeBytes, homeBytes, lakeBytes, prunableBytes: prunable?.plan.bytes ?? null }
  const says = `${bytesText(freeBytes)} free; the data directory has ${bytesText(homeBytes)}`
  if (!isNearlyFull({ freeBytes, lakeBytes })) return { ok: true, says, values }
  const needBytes = Math.max(lakeBytes, minFreeBytes)
  const needs = `${says}. A night needs more than ${bytesText(needBytes)}`
  if (freeBytes >= needBytes)
    return { ok: true, isDoubt: true, says: `${needs}\n${pruneText(prunable, false)}`, values }
  const fails = "Until then nights fail, and may leave no report"
  return { ok: false, says: `${needs}. ${fails}\n${pruneText(prunable, true)}`, values }
}
