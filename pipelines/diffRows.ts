import { createReadStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import type { Session } from "../src/lake/Lake.ts"
import { sqlText } from "../src/lake/sqlText.ts"
import { lakeStep } from "../src/lake/LakeError.ts"

const formats = { csv: "(format csv, header)", ndjson: "(format json)" }

/** How every row of a difference can be printed. */
export type RowFormat = keyof typeof formats

/** Prints every row of a query to standard output, of any size: DuckDB writes a file, which is passed on. */
export const printRows = Effect.fnUntraced(function* (session: Session, query: string, format: RowFormat) {
  const folder = yield* Effect.acquireRelease(
    lakeStep("Make a temporary folder", () => mkdtemp(join(tmpdir(), "cardlake-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  const file = join(folder, `rows.${format}`)
  yield* session.run("Write the rows", `copy (${query}) to ${sqlText(file)} ${formats[format]}`)
  yield* lakeStep("Print the rows", () =>
    pipeline(createReadStream(file), process.stdout, { end: false }).catch((cause: unknown) => {
      // Who reads has enough: `| head`
      if (!(cause instanceof Error && "code" in cause && cause.code === "EPIPE")) throw cause
    })
  )
}, Effect.scoped)
