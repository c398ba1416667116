import { Effect, Runtime, Schema } from "effect"
import { Disk } from "../feed/disk/Disk.ts"
import { resolve } from "node:path"
import { isBucket } from "../store/home/bucket/homeAddress.ts"
import { type Destination, DestinationFailed } from "./destination/Destination.ts"
import type { Drop } from "./drop/Drop.ts"
import { ExportRefused } from "./drop/ExportFormat.ts"
import type { Decimals } from "./drop/exportTables.ts"
import { filesFormat } from "./formats/files/filesFormat.ts"
import { type FormatName, formats } from "./formats.ts"
import { type KeptDrop, readDrop } from "./readDrop.ts"

/** The requested format; null = that of the existing export; for a new export, exact and plain files. */
export interface DropAsked {
  readonly decimals: Decimals | null
  readonly format: FormatName | null
}

/** The command line names a game or a table that does not exist. */
export class NameUnknown extends Schema.TaggedError<NameUnknown>()("NameUnknown", {
  kind: Schema.Literals(["game", "table"]),
  wanted: Schema.Array(Schema.String),
  known: Schema.Array(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    const what = `Unknown ${this.kind}: ${this.wanted.join(", ")}`
    if (this.known.length > 0) return `${what}. Choose from: ${this.known.join(", ")}`
    return `${what}. No game is published yet. Publish one with: cardlake nightly`
  }
}

/** Fails if the prefix is a home. Checks nothing else, because a prefix of a bucket is not listed. */
const refuseHomes = Effect.fnUntraced(function* (to: string) {
  const { outsideBucketHomes } = yield* Effect.promise(() => import("../store/home/bucket/homeAround.ts"))
  yield* Effect.catchTag(
    outsideBucketHomes(to),
    "BucketFailed",
    ({ reason, step }) => new DestinationFailed({ step, reason, next: "Export again" })
  )
})

/** Fails if the folder is used for something else. */
const refuseFullFolder = Effect.fnUntraced(function* (to: string) {
  const disk = yield* Disk
  if (!disk.exists(to)) return
  if (disk.look(to)?.kind !== "folder") {
    return yield* new ExportRefused({ reason: `${resolve(to)} is not a folder. Export to an empty folder` })
  }
  const others = disk.namesNow(to).filter((name) => name !== "_staging")
  if (others.length === 0) return
  const what = `${resolve(to)} contains other files (${others.slice(0, 3).join(", ")}) but no export`
  return yield* new ExportRefused({ reason: `${what}. Export to an empty folder` })
})

/** Opens the export at a destination, or begins a new one if the destination is empty. */
export const dropAt = Effect.fnUntraced(function* (to: Destination, { decimals, format }: DropAsked) {
  const found = yield* readDrop(to)
  if (found === null) {
    yield* isBucket(to.address) ? refuseHomes(to.address) : refuseFullFolder(to.address)
    const keptAs = formats.find(({ name }) => name === format) ?? filesFormat
    const drop: Drop = {
      format: "cardlake drop",
      layout: 1,
      decimals: decimals ?? "exact",
      ...(keptAs.tables === null ? {} : { tableFormat: keptAs.name }),
      ...(yield* keptAs.open),
      games: []
    }
    return { drop, keptAs } satisfies KeptDrop
  }
  const has = found.keptAs.name
  if (format !== null && format !== has) {
    const reason = `${to.address} was created with --format ${has}, which cannot change. Export to another destination`
    return yield* new ExportRefused({ reason })
  }
  if (decimals === null || decimals === found.drop.decimals) return found
  const what = `${to.address} has decimals as ${found.drop.decimals === "text" ? "text" : "DECIMAL"}`
  return yield* new ExportRefused({ reason: `${what}, which cannot change. Export to another destination` })
})

/** Checks the requested names; empty: all. */
export const chosen = Effect.fnUntraced(function* (
  kind: NameUnknown["kind"],
  wanted: ReadonlyArray<string>,
  known: ReadonlyArray<string>
) {
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) return yield* new NameUnknown({ kind, wanted: unknown, known })
  return wanted.length === 0 ? known : known.filter((name) => wanted.includes(name))
})
