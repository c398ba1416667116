import { hash } from "node:crypto"
import { Config, Effect, Schema, type SchemaAST, SchemaIssue } from "effect"
import { onDisk } from "../disk/Disk.ts"
import { errorCode } from "../disk/makeFolders.ts"
import { findInside } from "../contract/contractPaths.ts"
import { DialectFile, dialectFrom } from "../contract/dialect/DialectFile.ts"
import { dialectFileFault } from "../contract/dialect/dialectFileFault.ts"
import { dialectNames, dialects } from "../contract/dialect/dialects.ts"
import { duplicateKey } from "../contract/jsonSpans.ts"
import { SettingInvalid } from "../contract/SettingInvalid.ts"
import { Fault } from "../contract/Fault.ts"

/** The largest size of a dialect file. */
const maxBytes = 256 * 1024

const decode = Schema.decodeUnknownEffect(DialectFile, { onExcessProperty: "error" })
const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns the keys that are valid beside the one at `path`; null if any key is valid. */
const allowedBeside = (path: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const around = path
    .slice(0, -1)
    .reduce<ReadonlyArray<SchemaAST.AST>>(
      (at, key) => at.flatMap((one) => findInside(one)?.get(key)?.types ?? []),
      [DialectFile.ast]
    )
  const keys = around.flatMap((one) => Array.from(findInside(one)?.keys() ?? [])).filter((key) => key !== "*")
  return keys.length === 0 ? null : keys
}

const parse = (text: string): unknown => JSON.parse(text)

export const readDialectFile = Effect.fnUntraced(function* (file: string) {
  let like: string | null = null
  const invalid = (what: string) =>
    new Fault(
      "DialectFileInvalid",
      `The mapping file ${file} cannot be used: ${what}. Correct it, or start from a valid one: cardlake dialect --like ${like ?? "live"}`,
      2
    )
  const bytes = yield* onDisk(
    (disk) => disk.read(file),
    (cause) => invalid(`it cannot be read (${errorCode(cause) || "unknown"})`)
  )
  if (bytes.length > maxBytes) return yield* invalid("it has more than 256 KB")
  // Some editors write a byte order mark.
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "")
  const json = yield* Effect.try({
    try: () => parse(text),
    catch: (cause) => invalid(`it is not JSON (${cause instanceof Error ? cause.message : "unknown"})`)
  })
  like = dialectNames.find((name) => name === Object(json).like) ?? null
  const twice = duplicateKey(text)
  if (twice !== null) return yield* invalid(`${twice.split(".").join(": ")}: it occurs twice`)
  const content = yield* Effect.mapError(decode(json), ({ issue }) => {
    const [first] = formatIssues(issue).issues
    const path = (first?.path ?? []).map((key) => String(typeof key === "object" ? key.key : key))
    const allowed = /excess property/.test(first?.message ?? "") ? allowedBeside(path) : null
    const what = allowed === null ? first?.message : `allowed are ${allowed.join(", ")}`
    return invalid(`${path.length === 0 ? "" : `${path.join(": ")}: `}${what ?? "it is not allowed"}`)
  })
  const fault = dialectFileFault(content)
  if (fault !== null) return yield* invalid(fault)
  return dialectFrom({ sha256: hash("sha256", bytes, "hex"), content })
})

/** True if a text is the path of a dialect file, not the name of a dialect. */
export const namesDialectFile = (text: string): boolean => /[./\\]/.test(text)

/** Returns a dialect by its name or its file; null for `auto`. */
export const dialectNamed = Effect.fnUntraced(function* (text: string) {
  const known = dialectNames.find((one) => one === text)
  if (known !== undefined) return dialects[known]
  return text === "auto" ? null : yield* readDialectFile(text)
})

/** The dialect that `CARDLAKE_DIALECT` sets for every game; null if pages determine it. */
export const requiredDialect = Effect.gen(function* () {
  const name = "CARDLAKE_DIALECT"
  const text = yield* Config.String(name).pipe(Config.withDefault("auto"))
  const isKnown = text === "auto" || dialectNames.some((known) => known === text)
  if (!isKnown && !namesDialectFile(text)) {
    const what = `is ${JSON.stringify(text)}, none of auto, ${dialectNames.join(", ")}, nor a file such as ./dialect.json`
    return yield* new SettingInvalid({ name, what })
  }
  return yield* dialectNamed(text)
})
