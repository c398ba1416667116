import { writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { makeFolders } from "../../store/home/disk.ts"
import { dbtFiles } from "./dbtProject.ts"
import { tablesInDrop } from "./dropLoads.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"

/** Writes what dbt needs to know of a drop into a project's folder; files of the same names are replaced. */
export const writeDbt = Effect.fn("writeDbt")(function* (address: string, folder: string) {
  const files = dbtFiles(yield* tablesInDrop(address))
  yield* Effect.forEach(
    files,
    ([path, text]) =>
      lakeStep(`Write ${folder}/${path}`, async () => {
        const file = joinBelow(folder, path)
        await makeFolders(dirname(file))
        await writeFile(file, text)
      }),
    { discard: true }
  )
  return { folder, files: files.map(([path]) => path) }
})
