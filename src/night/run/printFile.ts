import { createReadStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { shownLines } from "../../feed/contract/shownText.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { privateFolder } from "../../store/home/disk.ts"

/** Escapes control characters for a terminal; a pipe gets the exact bytes. */
const shown = async function* (chunks: AsyncIterable<string | Buffer>) {
  for await (const chunk of chunks) yield typeof chunk === "string" ? shownLines(chunk) : chunk
}

/** Prints a file of any size that `write` creates: DuckDB writes files, not standard output. */
export const printFile = Effect.fnUntraced(function* <A, E, R>(write: (file: string) => Effect.Effect<A, E, R>) {
  const folder = yield* privateFolder
  const file = join(folder, "rows")
  yield* write(file)
  yield* lakeStep("Print the rows", () =>
    pipeline(createReadStream(file, process.stdout.isTTY ? "utf8" : undefined), shown, process.stdout, {
      end: false
    }).catch((cause: unknown) => {
      // The reader has closed the pipe, as in `| head`.
      if (!(cause instanceof Error && "code" in cause && cause.code === "EPIPE")) throw cause
    })
  )
}, Effect.scoped)
