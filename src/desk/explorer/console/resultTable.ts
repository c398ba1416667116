import type { Html } from "../../pages/html.ts"
import { type Column, dataTable } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { expansionAddress, gameAddress, type KnownGame, productAddress } from "../PageRequest.ts"
import type { ConsoleAnswer } from "./askConsole.ts"

const isFigure = /^-?\d+(\.\d+)?$/
const isId = /^\d+$/

/** The rows of a result that a page shows; an id leads to its page. */
export const resultTable = (caption: string, answer: ConsoleAnswer, games: ReadonlyArray<KnownGame>): Html =>
  dataTable(
    caption,
    answer.columns.map((_, index) => columnOf(index, answer, games)),
    answer.rows.map((row) => Object.fromEntries(row.map((value, index) => [String(index), value])))
  )

/** Columns of only figures are right-aligned, with every digit as in the lake. */
const columnOf = (index: number, { columns, rows }: ConsoleAnswer, games: ReadonlyArray<KnownGame>): Column => {
  const values = rows.flatMap((row) => row[index] ?? [])
  const figures = values.length > 0 && values.every((value) => isFigure.test(value))
  const name = String(index)
  const label = columns[index]?.name ?? ""
  return { name, label, shape: figures ? "exact" : "long", link: linkOf(label.toLowerCase(), name, { columns, games }) }
}

/** What an id of this name leads to; a lake of one game needs no column that says which. */
const linkOf = (
  label: string,
  place: string,
  { columns, games }: Pick<ConsoleAnswer, "columns"> & { readonly games: ReadonlyArray<KnownGame> }
): ((row: Row) => string | null) => {
  const game = String(columns.findIndex(({ name }) => name.toLowerCase() === "game_id"))
  const gameOf = (row: Row) => {
    const wanted = row[game] ?? (games.length === 1 ? games[0]?.gameId : null)
    return games.find(({ gameId }) => gameId === wanted)?.gameId ?? null
  }
  return (row) => {
    const [gameId, id] = [gameOf(row), String(row[place] ?? "")]
    if (gameId === null) return null
    if (label === "game_id") return gameAddress(gameId, "expansions")
    if (!isId.test(id)) return null
    return label === "product_id"
      ? productAddress(gameId, id)
      : label === "expansion_id"
        ? expansionAddress(gameId, id)
        : null
  }
}
