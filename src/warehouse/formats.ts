import { deltaFormat } from "./formats/delta/deltaFormat.ts"
import { duckLakeFormat } from "./formats/ducklake/duckLakeFormat.ts"
import { filesFormat } from "./formats/files/filesFormat.ts"
import { icebergFormat } from "./formats/iceberg/icebergFormat.ts"

/** The formats of an export, in the order of `--help`. */
export const formats = [filesFormat, icebergFormat, deltaFormat, duckLakeFormat] as const

export type Format = (typeof formats)[number]
export type FormatName = Format["name"]

export const formatNames: ReadonlyArray<FormatName> = formats.map(({ name }) => name)
