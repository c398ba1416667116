import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { Effect } from "effect"
import { lakeStep } from "./LakeError.ts"

/** What follows a prefix in the names of a folder, sorted; nothing where the folder is not there. */
export const foldersIn = (folder: string, prefix: string) =>
  existsSync(folder)
    ? Effect.map(
        lakeStep(`List ${folder}`, () => readdir(folder)),
        (names) =>
          names
            .filter((name) => name.startsWith(prefix))
            .map((name) => name.slice(prefix.length))
            .sort()
      )
    : Effect.succeed([])
