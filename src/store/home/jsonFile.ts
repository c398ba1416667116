import packageJson from "../../../package.json" with { type: "json" }
import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { Disk } from "../../feed/disk/Disk.ts"
import { FileDamaged, writeWhole } from "./disk.ts"
import { type LakeError, lakeStep } from "../../feed/reading/LakeError.ts"
import { errorCode } from "../../feed/disk/makeFolders.ts"
import { download } from "../../feed/reading/RemoteFiles.ts"
import { contractVersion } from "../../feed/schema/snapshotTables.ts"
import { firstContract } from "../../feed/schema/tableFile.ts"

/** This version does not support a document of the home: a later version wrote it, or a prerelease did. */
export class UnsupportedContract extends Schema.TaggedError<UnsupportedContract>()("UnsupportedContract", {
  file: Schema.String,
  /** Null if the document has no unsupported contract version, but an unknown value. */
  contractVersion: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    const { contractVersion: version, file } = this
    const program = `Cardlake ${packageJson.version}`
    const next = "choose another home with CARDLAKE_HOME or --home"
    if (version === null)
      return `${file} was written by a later version of Cardlake, and ${program} cannot read it. Update Cardlake, or ${next}`
    const has = `${file} has contract version ${version}, and ${program} reads homes`
    return version < firstContract
      ? `${has} from version ${firstContract} on. To create one, ${next}`
      : `${has} up to version ${contractVersion}. Update Cardlake, or ${next}`
  }
}

/** Fails with {@link UnsupportedContract} for an unsupported version. */
export const knownContract = (file: string, version: number): Effect.Effect<void, UnsupportedContract> =>
  version < firstContract || version > contractVersion
    ? Effect.fail(new UnsupportedContract({ file, contractVersion: version }))
    : Effect.void

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const hashDocument = (document: object): string => hash("sha256", JSON.stringify(document, null, 2))

/** Writes a JSON document atomically. Its last key, `sha256`, is the checksum of the text without it. */
export const writeJson = Effect.fnUntraced(function* <S extends Schema.Encoder<object>>(
  path: string,
  schema: S,
  value: S["Type"],
  mode?: number
) {
  const document = yield* Effect.orDie(Schema.encodeEffect(schema)(value))
  yield* writeWhole(path, `${JSON.stringify({ ...document, sha256: hashDocument(document) }, null, 2)}\n`, mode)
})

/**
 * Reads a document of the home. Fails with {@link FileDamaged} if it is missing or does not match its checksum or
 * schema, and with {@link UnsupportedContract} if a later version wrote it.
 */
export const readJson = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(
  path: string,
  schema: S,
  written: "with its sum" | "without a sum" = "with its sum"
): Effect.fn.Return<S["Type"], LakeError | FileDamaged | UnsupportedContract> {
  yield* download(path)
  const identity = yield* lakeStep(`Check ${path}`, async (disk) => identifyFile(disk, path))
  const documents = ensureCache(yield* Disk)
  const known = documents.get(path)
  if (known?.identity === identity && known.schema === schema) return known.document
  const text =
    identity === null ? null : yield* lakeStep(`Read ${path}`, (disk) => disk.readText(path).catch(whereNoFileIs))
  if (text === null) return yield* new FileDamaged({ file: path, what: "it is missing, or not a file" })
  const damaged = () => new FileDamaged({ file: path, what: "its content is not Cardlake's" })
  const json = yield* Effect.mapError(decodeJson(text), damaged)
  if (written === "with its sum" && !hasItsSum(json)) return yield* damaged()
  const document = yield* Effect.mapError(Schema.decodeUnknownEffect(schema, { errors: "all" })(json), (error) =>
    !/missing key/i.test(error.message)
      ? // Every byte and key is there, so a later version wrote it.
        new UnsupportedContract({ file: path, contractVersion: null })
      : damaged()
  )
  if (identity !== null) documents.set(path, { identity, schema, document })
  return document
})

interface Decoded {
  readonly identity: string
  readonly schema: unknown
  readonly document: unknown
}

/** Cache of each disk's decoded documents, because a night reads the same ones repeatedly. */
const caches = new WeakMap<Disk, Map<string, Decoded>>()

const ensureCache = (disk: Disk): Map<string, Decoded> => {
  const documents = caches.get(disk) ?? new Map<string, Decoded>()
  caches.set(disk, documents)
  return documents
}

/** Returns a value that changes with every write to a file; null if there is no regular file. */
const identifyFile = (disk: Disk, path: string): string | null => {
  try {
    const found = disk.look(path)
    return found?.kind !== "file"
      ? null
      : `${found.device} ${found.inode} ${found.sizeBytes} ${found.modifiedNanos} ${found.changedNanos}`
  } catch (cause) {
    return whereNoFileIs(cause)
  }
}

const hasItsSum = (json: unknown): boolean => {
  if (typeof json !== "object" || json === null || !("sha256" in json)) return false
  const { sha256, ...document } = json
  return sha256 === hashDocument(document)
}

const whereNoFileIs = (cause: unknown): null => {
  if (["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(errorCode(cause))) return null
  throw cause
}
