import { readFileSync } from "node:fs"

/** Text of a query of these pages, by its name, without the semicolon: it may stand within another one. */
export const queryNamed = (name: string): string =>
  readFileSync(new URL(`queries/${name}.sql`, import.meta.url), "utf8").replace(/;\s*$/, "")
