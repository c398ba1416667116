import { shellWord } from "../../src/feed/contract/shellWord.ts"
import type { ExportedGame } from "../../src/warehouse/drop/exportGame.ts"
import type { PrunedNight } from "../../src/warehouse/drop/planDays.ts"
import { type Exported, listSkipReasons } from "../../src/warehouse/exportDrop.ts"
import type { VerifiedDrop } from "../../src/warehouse/verifyDrop.ts"
import { formatAmount, grouped } from "../../src/store/diff/formatAmount.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import { bytesText } from "../../src/night/observe/figureTexts.ts"
import type { CompactedDrop } from "../../src/warehouse/compactDrop.ts"

const total = <A>(all: ReadonlyArray<A>, figure: (one: A) => number) => all.reduce((sum, one) => sum + figure(one), 0)
/** Returns the totals of an export. */
export const writtenBy = ({ games }: Exported) => {
  const written = games.flatMap(({ partitions }) => partitions.filter(({ did }) => did !== "unchanged"))
  return {
    partitions: written.length,
    rows: total(written, ({ rows }) => rows),
    bytes: total(written, ({ bytes }) => bytes)
  }
}

const formatLine = ({ gameId, partitions }: ExportedGame): ReadonlyArray<string> => {
  const did = (what: string) => grouped(partitions.filter((one) => one.did === what).length)
  const written = partitions.filter((one) => one.did !== "unchanged")
  const days = [...new Set(written.map(({ dt }) => dt))].sort()
  return [
    gameId,
    days[0] ?? "",
    days.at(-1) ?? "",
    did("added"),
    did("replaced"),
    did("emptied"),
    grouped(total(written, ({ rows }) => rows)),
    bytesText(total(written, ({ bytes }) => bytes))
  ]
}

/** Describes tables and days for people; null if there are none. */
const tablesOfDays = (all: ReadonlyArray<{ readonly table: string; readonly dt: string }>): string | null => {
  const tables = [...new Set(all.map(({ table }) => table))]
  const days = [...new Set(all.map(({ dt }) => dt))].sort()
  if (tables.length === 0) return null
  const span = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`
  return `${tables.join(", ")} of ${formatAmount(days.length, "day")} (${span})`
}

const nightsText = (all: ReadonlyArray<PrunedNight>) =>
  all.map(({ dt, snapshot }) => (dt === null ? snapshot : `${snapshot} (${dt})`)).join(", ")

const describePruned = ({ gameId, notKept, partitions, prunedNights }: ExportedGame): ReadonlyArray<string> => {
  const made = tablesOfDays(partitions.filter(({ isFromHistory }) => isFromHistory))
  const notExported = tablesOfDays(notKept.filter(({ hasTakenBack }) => !hasTakenBack))
  const stale = tablesOfDays(notKept.filter(({ hasTakenBack }) => hasTakenBack))
  const inDrop = prunedNights.filter(({ dt }) => dt !== null)
  const never = prunedNights.filter(({ dt }) => dt === null)
  return [
    ...(made === null ? [] : [`${gameId}: rebuilt from the history, because the nights were pruned: ${made}`]),
    ...(notExported === null ? [] : [`${gameId}: pruned, so not exported: ${notExported}`]),
    ...(stale === null
      ? []
      : [
          `${gameId}: pruned: ${stale}. On these days the export still has rows of nights that were rolled back. Its table nights says which nights count`
        ]),
    ...(inDrop.length === 0
      ? []
      : [`${gameId}: taken back and then pruned, in table nights with counts = false: ${nightsText(inDrop)}`]),
    ...(never.length === 0 ? [] : [`${gameId}: taken back and then pruned, so not exported: ${nightsText(never)}`])
  ]
}

export const exportedText = (exported: Exported): string => {
  const { games, to } = exported
  if (games.length === 0)
    return "Nothing was written, because nothing has been published yet. See what was read with: cardlake snapshots; publish with: cardlake nightly"
  const heads = ["game", "from", "to", "partitions added", "replaced", "emptied", "rows", "size"]
  const pruned = games.flatMap(describePruned)
  const isQuiet = games.every(({ partitions }) => partitions.every(({ did }) => did === "unchanged"))
  const nothing = isQuiet ? ["Nothing was written: the destination has every night of that span"] : []
  return [
    textTable(heads, games.map(formatLine), { leaveOut: ["emptied", "replaced"] }),
    ...nothing,
    ...pruned,
    ...listSkipReasons(exported),
    `Check it with: cardlake export --to ${shellWord(to)} --verify`
  ].join("\n")
}

export const verifiedText = ({ bytes, faults, partitions, rows, to }: VerifiedDrop): string => {
  const read = `${to}: ${formatAmount(partitions, "partition")}, ${formatAmount(rows, "row")}, ${bytesText(bytes)} read`
  if (partitions === 0 && faults.length === 0)
    return `${to} has no partition yet. Write some with: cardlake export --to ${shellWord(to)}`
  if (faults.length === 0) return `${read}; each matches its manifest and the state, and there is nothing else`
  const faultLines = faults.map(({ partition, what }) => `${partition}: ${what}`)
  const next = `The next export rewrites damaged and missing files: cardlake export --to ${shellWord(to)}`
  return [read, ...faultLines, next].join("\n")
}

export const compactedText = ({ leftAlone, tables, to }: CompactedDrop): string => {
  const changed = tables.filter(({ joined }) => joined > 0)
  const rows = changed.map(({ bytes, files, joined, rows: n, table }) => [
    table,
    grouped(joined),
    grouped(n),
    grouped(files.before),
    grouped(files.after),
    bytesText(bytes.before),
    bytesText(bytes.after)
  ])
  const heads = ["table", "files joined", "rows in them", "files before", "after", "size before", "after"]
  return [
    changed.length === 0
      ? "Nothing was written: no past month has small files to join"
      : `${textTable(heads, rows, { leaveOut: ["rows in them", "files joined"] })}\n\n${sumTables(changed)}`,
    ...leftAlone.map(({ reason }) => reason),
    `Check it with: cardlake export --to ${shellWord(to)} --verify`
  ].join("\n")
}

const sumTables = (changed: CompactedDrop["tables"]): string => {
  const sum = (figure: (table: (typeof changed)[number]) => number) => changed.reduce((all, of) => all + figure(of), 0)
  const files = `${grouped(sum(({ files }) => files.before))} files are now ${grouped(sum(({ files }) => files.after))}`
  return `${files}, ${bytesText(sum(({ bytes }) => bytes.before))} are ${bytesText(sum(({ bytes }) => bytes.after))}`
}
