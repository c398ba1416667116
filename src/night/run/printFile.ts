import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { shownLines } from "../../feed/contract/shownText.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { privateFolder } from "../../store/home/disk.ts"
import { errorCode } from "../../feed/disk/makeFolders.ts"

/** Escapes control characters for a terminal; a pipe gets the exact bytes. */
const shown = async function* (chunks: AsyncIterable<string | Buffer>) {
  for await (const chunk of chunks) yield typeof chunk === "string" ? shownLines(chunk) : chunk
}

/** Prints a file of any size that `write` creates: DuckDB writes files, not standard output. */
export const printFile = Effect.fnUntraced(function* <A, E, R>(write: (file: string) => Effect.Effect<A, E, R>) {
  const folder = yield* privateFolder
  const file = join(folder, "rows")
  yield* write(file)
  yield* lakeStep("Print the rows", (disk) => {
    const bytes = disk.readStream(file)
    return pipeline(process.stdout.isTTY ? bytes.setEncoding("utf8") : bytes, shown, process.stdout, {
      end: false
    }).catch((cause: unknown) => {
      // The reader has closed the pipe, as in `| head`.
      if (errorCode(cause) !== "EPIPE") throw cause
    })
  })
}, Effect.scoped)
