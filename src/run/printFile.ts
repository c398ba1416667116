import { createReadStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { lakeStep } from "../home/LakeError.ts"
import { privateFolder } from "../lake/duckdb/privateFolder.ts"

/** Prints a file of any size that `write` makes: DuckDB writes files, not standard output. */
export const printFile = Effect.fnUntraced(function* <A, E, R>(write: (file: string) => Effect.Effect<A, E, R>) {
  const folder = yield* privateFolder
  const file = join(folder, "rows")
  yield* write(file)
  yield* lakeStep("Print the rows", () =>
    pipeline(createReadStream(file), process.stdout, { end: false }).catch((cause: unknown) => {
      // The reader has enough, as in `| head`
      if (!(cause instanceof Error && "code" in cause && cause.code === "EPIPE")) throw cause
    })
  )
}, Effect.scoped)
