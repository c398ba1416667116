import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import { DuckDBInstance } from "@duckdb/node-api"

const mark = Symbol.for("cardlake/test/oneThread")
const marked: typeof DuckDBInstance & { [mark]?: boolean } = DuckDBInstance

type Derive = (
  key: string,
  salt: string,
  length: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, hash: Buffer) => void
) => void

/** Returns a function that derives each hash once for a process: a tenth of a small night's time is for that of its key. */
const rememberHashes = (derive: Derive): Derive => {
  const hashes = new Map<string, Buffer>()
  return (key, salt, length, options, done) => {
    const input = JSON.stringify([key, salt, length, options])
    const known = hashes.get(input)
    if (known !== undefined) return done(null, Buffer.from(known))
    derive(key, salt, length, options, (error, hash) => {
      if (error === null) hashes.set(input, hash)
      done(error, hash)
    })
  }
}

// One thread parses pages, too: each loads all that it needs.
os.availableParallelism = () => 1

/**
 * DuckDB in a test's own process has one thread. With more, one waits in a loop for the others, and
 * the files that share the cores pay for it. Programs that tests start and `--mode full` have all.
 */
if (marked[mark] !== true) {
  const create = DuckDBInstance.create.bind(DuckDBInstance)
  DuckDBInstance.create = (path, options) => create(path, { threads: "1", ...options })
  Object.assign(crypto, { scrypt: rememberHashes(crypto.scrypt) })
  marked[mark] = true
}
syncBuiltinESMExports()
