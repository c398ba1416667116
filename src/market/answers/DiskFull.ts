import { Schema } from "effect"

/** Nothing more can be written. What one write was to change is as it was. */
export class DiskFull extends Schema.TaggedError<DiskFull>()("DiskFull", { folder: Schema.String }) {
  override get message() {
    return `The disk of ${this.folder} is full. Free some space there and try again`
  }
}

/** SQLite's number for a full disk. */
const sqliteFull = 13
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"])

const isFull = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false
  if ("errcode" in error && error.errcode === sqliteFull) return true
  if ("code" in error && fullCodes.has(error.code)) return true
  return ("cause" in error && isFull(error.cause)) || ("reason" in error && isFull(error.reason))
}

/** What happened while something was written to `folder`: a full disk by its name, anything else as it is. */
export const writeFault = (error: unknown, folder: string): unknown =>
  isFull(error) ? new DiskFull({ folder }) : error
