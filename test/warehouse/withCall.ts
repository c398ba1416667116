import { Effect } from "effect"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

type Call = "mkdtemp" | "readFile"

/** Until the scope closes, one call to the disk is answered so: few machines have such a disk. */
export const withCall = <C extends Call>(call: C, instead: (before: (typeof fs)[C]) => unknown) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = fs[call]
      Object.assign(fs, { [call]: instead(before) })
      syncBuiltinESMExports()
      return before
    }),
    (before) =>
      Effect.sync(() => {
        Object.assign(fs, { [call]: before })
        syncBuiltinESMExports()
      })
  )
