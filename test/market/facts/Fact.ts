import assert from "node:assert/strict"
import { all } from "./reading/ask.ts"
import type { Kind } from "./reading/kinds.ts"
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

export const section = (document: Section["document"], heading: string, facts: ReadonlyArray<Fact>): Section => ({
  document,
  heading,
  facts
})

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

/** Facts about fields of records: each value is of the field's kind, and what the kind tells apart is seen. */
export const fieldsOf =
  (name: string, records: (world: World) => ReadonlyArray<unknown> | Promise<ReadonlyArray<unknown>>) =>
  /** Facts of these paths, which blanks part. Unless told, a path's first key is the row that it comes from. */
  (kind: Kind, paths: string, row?: string): ReadonlyArray<Fact> =>
    paths.split(" ").map((path) =>
      fact(row ?? path.split(".")[0] ?? "", `${name}: \`${path}\` is ${kind.says}`, async (world) => {
        const values = all(await records(world), `*.${path}`)
        assert.ok(values.length > 0, `no ${name} has ${path}`)
        const unexpected = values.find((value) => !kind.is(value))
        const isUnexpected = values.some((value) => !kind.is(value))
        assert.ok(!isUnexpected, `${path} should be ${kind.says}, but is ${JSON.stringify(unexpected)}`)
        const unseen = kind.sights.filter((sight) => !values.some((value) => sight.is(value)))
        const missing = unseen.map(({ says }) => says)
        assert.deepEqual(missing, [], `${path} is never ${missing.join(", ")} in ${values.length} values`)
      })
    )

/** Makes what several facts look at: once in a world. */
export const once = <Made>(make: (world: World) => Promise<Made>): ((world: World) => Promise<Made>) => {
  const made = new WeakMap<World, Promise<Made>>()
  return (world) => {
    const found = made.get(world) ?? make(world)
    made.set(world, found)
    return found
  }
}
