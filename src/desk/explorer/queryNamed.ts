import { ownText } from "../../feed/disk/ownText.ts"

const texts = new Map<string, string>()

/** The text of one of the explorer's queries, without the semicolon, so that it can be nested. */
export const queryNamed = (name: string): string => {
  const text = texts.get(name) ?? ownText(new URL(`queries/${name}.sql`, import.meta.url)).replace(/;\s*$/, "")
  texts.set(name, text)
  return text
}
