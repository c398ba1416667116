import { availableParallelism } from "node:os"
import { Effect } from "effect"
import { lakeMemory } from "../../../feed/rows/memoryBound.ts"
import type { Session } from "./Lake.ts"

/** DuckDB hands out work in groups of so many rows. With fewer, one thread works, and the others ask for work in a loop. */
const rowsOfGroup = 122_880

const most = lakeMemory.threads ?? String(availableParallelism())

/** Has DuckDB use as many threads as tables with so many rows keep busy. It holds for every session until the next call. */
export const threadsFor = Effect.fnUntraced(function* (session: Session, rows: number) {
  yield* session.run("Choose the number of threads", `set threads = ${rows <= rowsOfGroup ? "1" : most}`)
})
