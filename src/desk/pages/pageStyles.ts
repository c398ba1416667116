import { readFileSync } from "node:fs"

/** What every page looks like: colours by day and by night, frame, tables. */
export const pageStyles = (): string =>
  [
    new URL("./colours.css", import.meta.url),
    new URL("./frame.css", import.meta.url),
    new URL("./tables.css", import.meta.url)
  ]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
