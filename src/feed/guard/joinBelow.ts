import { join } from "node:path"
import { Schema } from "effect"

/** A document from elsewhere names a place outside of its folder. */
export class PathOutside extends Schema.TaggedError<PathOutside>()("PathOutside", {
  root: Schema.String,
  name: Schema.String
}) {
  readonly next = "Restore the document that names it from a backup"

  get reason() {
    return `${JSON.stringify(this.name.slice(0, 100))} is not a path below ${this.root}`
  }

  override get message() {
    return `${this.reason}. ${this.next}`
  }
}

const isName = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && !/[\\\0]/.test(name) && Buffer.byteLength(name) <= 255

/** True for a relative path that stays below its folder, and that disks can store. */
export const isPathBelow = (path: string): boolean => path.length <= 1024 && path.split("/").every(isName)

/** A path below a folder, as a document names it. */
export const PathBelow = Schema.String.check(Schema.makeFilter(isPathBelow))

/** A record by names that all pass. A schema of keys would drop the others without an error. */
export const namedRecord = <S extends Schema.Constraint>(passes: (name: string) => boolean, value: S) =>
  Schema.Record(Schema.String, value).check(Schema.makeFilter((found) => Object.keys(found).every(passes)))

/** Joins names to a folder. Throws {@link PathOutside} for a path that would leave it. */
export const joinBelow = (root: string, ...names: ReadonlyArray<string>): string => {
  const name = names.join("/")
  if (!isPathBelow(name)) throw new PathOutside({ root, name })
  return join(root, name)
}
