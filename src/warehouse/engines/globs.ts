import { partName } from "../drop/Drop.ts"
import { piecesOf, type LoadedFile } from "./LoadPlan.ts"

/** A sign that means something in a pattern stands for any one. */
const oneOf = (texts: ReadonlyArray<string>): string => {
  const names = texts.map((text) => text.replaceAll(/[^\w.-]/g, "?"))
  return names.length === 1 ? names.join("") : `{${names.join(",")}}`
}

/** Patterns that name these files and no other, below a table's folder. */
export const globs = (files: ReadonlyArray<LoadedFile>): ReadonlyArray<string> =>
  piecesOf(files).map(({ days, games }) => `game=${oneOf(games)}/dt=${oneOf(days)}/${partName}`)
