import { ownText } from "../../feed/disk/ownText.ts"

/** The text of one of the explorer's queries, without the semicolon, so that it can be nested. */
export const queryNamed = (name: string): string =>
  ownText(new URL(`queries/${name}.sql`, import.meta.url)).replace(/;\s*$/, "")
