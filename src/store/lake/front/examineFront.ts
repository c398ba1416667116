import { join } from "node:path"
import { Effect } from "effect"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { fileSize, isThere } from "../../home/disk.ts"
import { frontFile } from "../../home/homePaths.ts"
import { Home, lastCommittedRun, readCurrent } from "../../home/Home.ts"
import { readJson } from "../../home/jsonFile.ts"
import { FrontFolder, marker, missingCopies } from "./publishFront.ts"

/** Describes a front for `doctor`. `damaged` are files that are missing, or have another size than they had. */
export const describeFront = (
  at: string,
  next: string,
  { commit, damaged, newest }: Record<"commit" | "newest", string> & { readonly damaged: ReadonlyArray<string> }
) => {
  const [firstDamaged] = damaged
  const fault = firstDamaged !== undefined ? `lacks ${firstDamaged}, or it is damaged` : "is that of an earlier lake"
  return firstDamaged === undefined && commit === newest
    ? { ok: true, says: `The front in ${at} is that of the published lake` }
    : {
        ok: firstDamaged === undefined,
        ...(firstDamaged === undefined ? { isDoubt: true as const } : {}),
        says: `The front in ${at} ${fault}. Publish it again: ${next}`
      }
}

/** Examines the front in the folder of `CARDLAKE_FRONT`; null if the setting or the first front is missing. */
export const examineFront = Effect.gen(function* () {
  const { front, root } = yield* Home
  if (front === null || !isThere(join(front.folder, marker))) return null
  const { folder } = front
  const { fronts } = yield* readJson(join(folder, marker), FrontFolder)
  const [{ commit, files } = { commit: "", files: [] }] = fronts
  const source = files.at(-1)
  const isWhole =
    source !== undefined &&
    isThere(join(folder, frontFile)) &&
    missingCopies(root, folder, [source]).length === 0 &&
    (yield* fileSize(join(folder, source))) === (yield* fileSize(join(folder, frontFile)))
  const damaged = [...(isWhole ? [] : [frontFile]), ...missingCopies(root, folder, files)]
  const newest = lastCommittedRun(yield* readCurrent)
  return describeFront(folder, `cardlake front publish ${shellWord(folder)}`, { commit, newest, damaged })
})
