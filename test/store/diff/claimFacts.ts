import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { differenceOf, emptyHome, type Said, snapshotOf } from "../lake/handMadeNights.ts"
import { card, expansion, type Json } from "../lake/invented.ts"
import { changelogOf, type Claims, item } from "./changelogOf.ts"
import { suite } from "../../support/suite.ts"

/** Makes the records and claims of one fact; no other fact has its ids and slugs. */
const wordsOf = (place: number) => {
  const slugOf = (slug: string) => `${slug}.${place}`
  const idOf = (id: number) => place * 100 + id
  return {
    product: (id: number, slug: string, more: Json = {}) =>
      card(idOf(id), { name: slug, nameSlug: slugOf(slug), ...more }),
    expansion: (id: number, slug: string, more: Json = {}) =>
      expansion(idOf(id), { name: slug, slug: slugOf(slug), ...more }),
    item: (slug: string, id?: number) => item(slugOf(slug), id === undefined ? undefined : idOf(id)),
    idOf,
    slugOf
  }
}

type State = Pick<Said, "products" | "expansions">

/**
 * Two readings, the deployments between them, and the lines expected of their reconciliation:
 * `entity id slug: claimed / seen = status (explanation)`.
 */
export interface ClaimFact {
  readonly before: State
  readonly after: State
  readonly between: ReadonlyArray<Claims>
  readonly expected: ReadonlyArray<string>
}
export type FactOf = (words: ReturnType<typeof wordsOf>) => ClaimFact

const joined = (entries: ReadonlyArray<Claims>): Claims => {
  const all = (entity: "products" | "expansions", change: "added" | "modified" | "removed") =>
    entries.flatMap((entry) => entry[entity]?.[change] ?? [])
  const items = (entity: "products" | "expansions") => ({
    added: all(entity, "added"),
    modified: all(entity, "modified"),
    removed: all(entity, "removed")
  })
  return { products: items("products"), expansions: items("expansions") }
}

/** All facts share one pair of readings, because even a small reading takes long. */
const reconciledAtOnce = Effect.fnUntraced(function* (facts: ReadonlyArray<ClaimFact>) {
  const state = (side: "before" | "after"): State => ({
    products: facts.flatMap((fact) => fact[side].products ?? []),
    expansions: facts.flatMap((fact) => fact[side].expansions ?? [])
  })
  const steps = Math.max(...facts.map(({ between }) => between.length))
  const between = Array.from({ length: steps }, (_, step) => joined(facts.flatMap((fact) => fact.between[step] ?? [])))
  // The first reading belongs to a deployment of its own, which claims nothing.
  const from = yield* snapshotOf("2026a", { ...state("before"), changelog: changelogOf({}) })
  const to = yield* snapshotOf("2026b", { ...state("after"), changelog: changelogOf({}, ...between) }, from)
  return yield* differenceOf(from, to)
})

class Reconciled extends Context.Service<Reconciled, Effect.Success<ReturnType<typeof differenceOf>>>()(
  "cardlake/test/Reconciled"
) {}

/** One test per fact, and one that the counts of the difference are those of all facts together. */
export const claimFacts = (title: string, named: Readonly<Record<string, FactOf>>) => {
  const facts = Object.entries(named).map(([name, factOf], index) => {
    const place = index + 1
    const fact = factOf(wordsOf(place))
    return { name, place, fact, expected: fact.expected }
  })
  const reconciled = Layer.effect(Reconciled, reconciledAtOnce(facts.map(({ fact }) => fact))).pipe(
    Layer.provide(emptyHome)
  )
  suite(reconciled, title, (it) => {
    for (const { expected, name, place } of facts) {
      it(name, () =>
        Effect.map(Reconciled, ({ reconciliations }) => {
          const lines = reconciliations
            .filter(
              (row) =>
                String(row["slug"]).endsWith(`.${place}`) ||
                (row["item_id"] !== null && Math.floor(Number(row["item_id"]) / 100) === place)
            )
            .map((row) => {
              const text = (column: string) => String(row[column] ?? "-")
              const id = row["item_id"] === null ? "-" : Number(row["item_id"]) - place * 100
              const slug = text("slug").replace(/\.\d+$/, "")
              const explained = row["explanation"] === null ? "" : ` (${text("explanation")})`
              return `${text("entity")} ${id} ${slug}: ${text("claimed")} / ${text("seen")} = ${text("status")}${explained}`
            })
          assert.deepStrictEqual(lines, expected)
        })
      )
    }

    it("adds up: the counts of the difference are those of all cases together", () =>
      Effect.map(Reconciled, ({ diff }) => {
        const all = facts.flatMap(({ expected }) => expected)
        const of = (part: string) => all.filter((line) => line.includes(part)).length
        const unclaimed = all.filter((line) => line.startsWith("product") && line.includes(": - / removed"))
        assert.deepStrictEqual(diff.reconciliation, {
          confirmed: of("= confirmed"),
          claimedNotSeen: of("= claimed_not_seen"),
          seenNotClaimed: of("= seen_not_claimed"),
          unexplained: all.filter((line) => !line.endsWith("= confirmed") && !line.endsWith(")")).length
        })
        assert.strictEqual(diff.unclaimedRemovals, unclaimed.length)
      }))
  })
}
