import { deltaFormat } from "./formats/delta/deltaFormat.ts"
import { duckLakeFormat } from "./formats/ducklake/duckLakeFormat.ts"
import { filesFormat } from "./formats/files/filesFormat.ts"
import { icebergFormat } from "./formats/iceberg/icebergFormat.ts"

/** Every way in which a drop can be kept, in the order in which `--help` names them. */
export const formats = [filesFormat, icebergFormat, deltaFormat, duckLakeFormat] as const

export type Format = (typeof formats)[number]
export type FormatName = Format["name"]

export const formatNames: ReadonlyArray<FormatName> = formats.map(({ name }) => name)
