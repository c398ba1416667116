import { deltaFormat } from "./delta/deltaFormat.ts"
import { duckLakeFormat } from "./ducklake/duckLakeFormat.ts"
import { filesFormat } from "./files/filesFormat.ts"
import { icebergFormat } from "./iceberg/icebergFormat.ts"

/** Every way in which a drop can be kept, in the order in which `--help` names them. */
export const formats = [filesFormat, icebergFormat, deltaFormat, duckLakeFormat] as const

export type Format = (typeof formats)[number]
export type FormatName = Format["name"]

export const formatNames: ReadonlyArray<FormatName> = formats.map(({ name }) => name)
