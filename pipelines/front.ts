import { Effect } from "effect"
import { publishFront } from "../src/store/lake/front/publishFront.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { printAnswer } from "./print/printAnswer.ts"
import type * as specs from "./specs/copies.ts"
import type { Input } from "./specs/spec.ts"

/** Writes a front and the files that it names into a folder. */
export const publish = Effect.fnUntraced(function* ({ json, publicUrl, to }: Input<typeof specs.publishFront>) {
  yield* printAnswer(
    json,
    yield* publishFront(to, publicUrl),
    ({ base, commit, copied, files, folder, removed, sizeBytes }) =>
      `${folder}: the front of ${commit} (${formatAmount(Math.ceil(sizeBytes / 1024), "kB", "kB")}) names ${formatAmount(files, "file")}, ${copied} of them copied now; ${removed} removed\nAttach it: attach '${base}/front.duckdb' as cards (read_only); use cards`
  )
})
