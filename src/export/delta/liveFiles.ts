import { Option, Schema } from "effect"
import type { DatedFile } from "../drop/joinFiles.ts"
import type { DeltaTable } from "./DeltaTable.ts"

const Bounds = Schema.optional(Schema.NullOr(Schema.Struct({ snapshot_date: Schema.optional(Schema.String) })))
const Statistics = Schema.fromJsonString(
  Schema.Struct({ numRecords: Schema.Int, minValues: Bounds, maxValues: Bounds })
)

/** A file that a table has, and its last day. */
interface SpanningFile extends DatedFile {
  readonly until: string
}

/** The files of a table. In one that is partitioned by game, those of one day lie in its folder. */
export const liveFiles = ({ files, name }: DeltaTable): ReadonlyArray<SpanningFile> =>
  [...files].map(([path, { partitionValues: values, size: bytes, stats }]) => {
    const isOutside = /^\w+:|^\/|(^|\/)\.\.(\/|$)/.test(path)
    const told = Option.getOrUndefined(Schema.decodeUnknownOption(Statistics)(stats))
    const dt = values["snapshot_date"] ?? /(?:^|\/)snapshot_date=([^/]*)\//.exec(path)?.[1] ?? null
    return {
      game: values["game_id"] ?? "",
      dt,
      from: dt ?? told?.minValues?.snapshot_date ?? "",
      until: dt ?? told?.maxValues?.snapshot_date ?? "9999-12-31",
      path: `${name}/${path}`,
      rows: told?.numRecords ?? 0,
      bytes,
      fault: isOutside ? `its file lies elsewhere: ${path}` : null
    }
  })
