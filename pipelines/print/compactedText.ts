import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { grouped } from "../../src/store/diff/amountOf.ts"
import type { CompactedDrop } from "../../src/warehouse/compactDrop.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import { megabytes } from "../../src/night/observe/figureTexts.ts"

/** What compacting did, for a person. */
export const compactedText = ({ leftAlone, tables, to }: CompactedDrop): string => {
  const changed = tables.filter(({ joined }) => joined > 0)
  const rows = changed.map(({ bytes, files, joined, rows: n, table }) => [
    table,
    grouped(joined),
    grouped(n),
    grouped(files.before),
    grouped(files.after),
    megabytes(bytes.before),
    megabytes(bytes.after)
  ])
  const heads = ["table", "files joined", "rows in them", "files before", "after", "MB before", "after"]
  return [
    changed.length === 0
      ? "Nothing was written: no past month has small files to join"
      : `${textTable(heads, rows, { leaveOut: ["rows in them", "files joined"] })}\n\n${sumOf(changed)}`,
    ...leftAlone.map(({ reason }) => reason),
    `Check it with: cardlake export --to ${shellWord(to)} --verify`
  ].join("\n")
}

const sumOf = (changed: CompactedDrop["tables"]): string => {
  const sum = (figure: (table: (typeof changed)[number]) => number) => changed.reduce((all, of) => all + figure(of), 0)
  const files = `${grouped(sum(({ files }) => files.before))} files are now ${grouped(sum(({ files }) => files.after))}`
  return `${files}, ${megabytes(sum(({ bytes }) => bytes.before))} MB are ${megabytes(sum(({ bytes }) => bytes.after))}`
}
