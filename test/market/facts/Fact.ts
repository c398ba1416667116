import type { World } from "./world/World.ts"

/** One sentence of a document, and the requests that show it. */
export interface Fact {
  /** The rows of the section's tables, and the numbers of its rules, that it comes from. */
  readonly rows: ReadonlyArray<string>
  /** The sentence, in our words. */
  readonly says: string
  /** Throws where the sandbox does otherwise; or why no request can show it. */
  readonly check: ((world: World) => Promise<void>) | { readonly untried: string }
}

/** The documents, each with the file that it is in. */
export const documents = {
  spec: "marketplace-api.md",
  beyond: "beyond-the-spec.md",
  live: "live-service.md",
  ours: "neither document"
} as const

/** A heading of a document with its facts, in the document's order. */
export interface Section {
  readonly document: keyof typeof documents
  readonly heading: string
  readonly facts: ReadonlyArray<Fact>
}

const listOf = (rows: string | ReadonlyArray<string>) => (typeof rows === "string" ? (rows === "" ? [] : [rows]) : rows)

/** A fact of these rows; of none if the document says it in a sentence. */
export const fact = (
  rows: string | ReadonlyArray<string>,
  says: string,
  check: (world: World) => Promise<void>
): Fact => ({ rows: listOf(rows), says, check })

/** A fact that no request to a sandbox can show. */
export const untried = (rows: string | ReadonlyArray<string>, says: string, why: string): Fact => ({
  rows: listOf(rows),
  says,
  check: { untried: why }
})
