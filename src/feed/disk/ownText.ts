import { readFileSync } from "node:fs"

/** Returns the text of a file of this program, such as a query. It does not depend on the fiber's disk. */
export const ownText = (file: URL): string => readFileSync(file, "utf8")
