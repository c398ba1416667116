import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./pipelines/cli.ts"

/** A document of the project, as people read it. */
export interface Document {
  readonly path: string
  readonly text: string
}

/** A fenced block of a document, with what stands before it. */
export interface Block {
  readonly language: string
  readonly text: string
  readonly before: Block | undefined
}

const documentAt = (path: string): Document => ({ path, text: readFileSync(join(root, path), "utf8") })

/** The pages of the guide that an index lists, in its order. */
const pagesOf = (index: string): ReadonlyArray<string> =>
  [...documentAt(index).text.matchAll(/\]\((guide\/[\w-]+\.md)\)/g)].map((match) =>
    join(dirname(index), match[1] ?? "")
  )

/** The documents whose commands and answers are run, in the order that a stranger reads them in. */
export const documents: ReadonlyArray<Document> = [
  "README.md",
  ...["pipelines/README.md", "data/README.md"].flatMap((index) => [index].concat(pagesOf(index))),
  "src/README.md",
  ...["src/market/README.md"].flatMap((index) => [index].concat(pagesOf(index))),
  "test/README.md"
].map(documentAt)
/** These, and those that have nothing to run. */
export const allDocuments = [
  ...documents,
  ...["feed", "feed/contract", "store", "desk", "warehouse", "night", "market/sdk"].map((folder) =>
    documentAt(`src/${folder}/README.md`)
  ),
  documentAt(".ci/package/README.md")
]

/** A document by its path. Throws on an unknown one. */
export const document = (path: string): Document => {
  const found = allDocuments.find((one) => one.path === path)
  if (found === undefined) throw new Error(`There is no document ${path}`)
  return found
}

/** The fenced blocks of a document, in order. */
export const blocksOf = ({ text }: Document): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  for (const match of text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    blocks.push({ language: match[1] ?? "", text: match[2] ?? "", before: blocks.at(-1) })
  }
  return blocks
}

/** A block's lines that are not empty. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** Texts of the blocks of a language. */
export const textsOf = (from: Document, language: string): ReadonlyArray<string> =>
  blocksOf(from).flatMap((block) => (block.language === language ? [block.text] : []))

/** Lines of the blocks of a language. */
export const commandsOf = (from: Document, language: "sh" | "cron"): ReadonlyArray<string> =>
  textsOf(from, language).flatMap(linesOf)

/** A document without its fenced blocks. */
export const proseOf = ({ text }: Document): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "")

/** By command, what a document says it prints: a `text` block is of the first command before it. */
export const printedBy = (from: Document): ReadonlyMap<string, string> =>
  new Map(
    blocksOf(from).flatMap(({ before, language, text }) =>
      language === "text" && before?.language === "sh" ? [[linesOf(before.text)[0] ?? "", text] as const] : []
    )
  )
