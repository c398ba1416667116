import { readdir } from "node:fs/promises"
import { Effect } from "effect"
import { lakeStep } from "../duckdb/LakeError.ts"
import { whereNothingIs } from "./verifyFile.ts"

/** The names in a folder, sorted; nothing where it is not there or no folder. */
export const namesIn = (folder: string) =>
  Effect.map(
    lakeStep(`List ${folder}`, () => readdir(folder).catch(whereNothingIs)),
    (names) => (names ?? []).sort()
  )

/** What follows a prefix in the names of a folder, sorted; nothing where the folder is not there. */
export const foldersIn = (folder: string, prefix: string) =>
  Effect.map(namesIn(folder), (names) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  )
