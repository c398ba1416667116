import { readFileSync } from "node:fs"

/** Text of a `.sql` file: `sqlText(new URL("./accounts.sql", import.meta.url))`. */
export const sqlText = (file: URL): string => readFileSync(file, "utf8")
