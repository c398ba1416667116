import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../home/LakeError.ts"
import { makeFolders } from "../../home/disk.ts"
import { dbtFiles } from "./dbtProject.ts"
import { tablesInDrop } from "./dropLoads.ts"

/** Writes what dbt needs to know of a drop into a project's folder; files of the same names are replaced. */
export const writeDbt = Effect.fn("writeDbt")(function* (address: string, folder: string) {
  const files = dbtFiles(yield* tablesInDrop(address))
  yield* Effect.forEach(
    files,
    ([path, text]) =>
      lakeStep(`Write ${join(folder, path)}`, async () => {
        await makeFolders(dirname(join(folder, path)))
        await writeFile(join(folder, path), text)
      }),
    { discard: true }
  )
  return { folder, files: files.map(([path]) => path) }
})
