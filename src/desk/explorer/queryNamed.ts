import { readFileSync } from "node:fs"

/** The text of one of the explorer's queries, without the semicolon, so that it can be nested. */
export const queryNamed = (name: string): string =>
  readFileSync(new URL(`queries/${name}.sql`, import.meta.url), "utf8").replace(/;\s*$/, "")
