import { inQuotes } from "../../src/feed/contract/shellWord.ts"
import { amountOf } from "../../src/store/diff/amountOf.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import type { Imported } from "../../src/desk/own/importCollection.ts"
import type { Collection } from "../../src/desk/own/Own.ts"

/** Values that an import does not understand: what they are, and what becomes of their rows. */
const unreadWords: Readonly<Record<string, readonly [what: string, then: string]>> = {
  condition: ["a condition that is not understood", "They do not count as near mint"],
  language: ["a language that is not understood", "They do not count as English"],
  paid: ["a price paid that is not understood", "None is stored"],
  currency: ["a currency that is not understood", "The price paid counts in none"],
  quantity: ["a quantity that is not understood", "They count no card"],
  bytes: ["characters that cannot be read, shown as �", "Save the file as CSV UTF-8"]
}

const unreadText = ({ rows, values, what }: Imported["unread"][number]): string => {
  const [reason, then] = unreadWords[what] ?? [`a value of ${what} that is not understood`, "It does not count as no"]
  const some = values.filter((value) => value !== "").join(", ")
  return `${amountOf(rows, "row")} with ${reason}${some === "" ? "" : `: ${some}${values.length < rows ? ", …" : ""}`}. ${then}`
}

/** Describes the imported rows, and how to list unmatched ones. */
export const importedText = (made: Imported): string => {
  const { cards, name, quantity, replaced, rows, tool, verdicts } = made
  const sum = cards === quantity ? amountOf(cards, "card") : `a quantity of ${quantity}, ${amountOf(cards, "card")}`
  const open = made.ambiguous + made.unknown
  return [
    `${amountOf(rows, "row")} of ${tool}, ${sum}, in collection ${name}${replaced.length === 0 ? "" : ", replacing its earlier content"}`,
    "",
    textTable(
      ["verdict", "rows", "cards"],
      verdicts.map((one) => [one.verdict, `${one.rows}`, `${one.cards}`])
    ),
    "",
    ...(open === 0
      ? []
      : [`See the ${open} that were not matched: cardlake query "from collection_cards where product_id is null"`]),
    ...made.unread.map(unreadText),
    ...(tool !== "a table" || made.unusedColumns.length === 0
      ? []
      : [`Columns that were not read: ${made.unusedColumns.join(", ")}`]),
    ...(made.finishUnknown === 0
      ? []
      : [
          `${amountOf(made.finishUnknown, "row")} matched, but the product is not known in that finish, so it has no price`
        ]),
    ...(made.paidInUnknown === 0
      ? []
      : [
          `${amountOf(made.paidInUnknown, "row")} with a price paid in an unknown currency: import again with --currency EUR, or another`
        ]),
    ...(replaced.length === 0 ? [] : [`Undo: cardlake collection restore ${inQuotes(name)}`]),
    `Its value: cardlake query "from collection_totals()"`
  ].join("\n")
}

/** Names the copied collections. */
export const collectionsIn = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "no collection, as there was none"
    : `${amountOf(names.length, "collection")} (${names.join(", ")})`

/** Lists the collections, one line per file. */
export const collectionsText = (collections: ReadonlyArray<Collection>): string =>
  collections.length === 0
    ? "No collection yet. Import one with: cardlake collection import FILE"
    : textTable(
        ["collection", "file", "tool", "imported", "rows", "cards", "matched", "not matched"],
        collections.flatMap(({ imports, name }) =>
          imports.map((one) => [
            name,
            one.file,
            one.tool,
            one.importedAt.slice(0, 16),
            `${one.rows}`,
            `${one.cards}`,
            `${one.matched}`,
            `${one.ambiguous + one.unknown}`
          ])
        )
      )
