import { Effect, Schema } from "effect"
import { newRunId } from "../../store/home/newRunId.ts"
import { changeOwn } from "./changeOwn.ts"
import type { Collection } from "./Own.ts"

/** There is no collection of that name, or nothing that could be restored. */
export class NoCollection extends Schema.TaggedError<NoCollection>()("NoCollection", {
  what: Schema.String,
  names: Schema.Array(Schema.String)
}) {
  override get message() {
    const there = this.names.length === 0 ? "There is none yet" : `There are: ${this.names.join(", ")}`
    return `${this.what}. ${there}. Import one with: cardlake collection import FILE`
  }
}

const namesOf = (collections: ReadonlyArray<Collection>) => collections.map(({ name }) => name)

/** Brings back what counted before the last import of a collection; a second time undoes the first. */
export const restoreCollection = Effect.fn("restoreCollection")(function* (name: string) {
  return yield* changeOwn(yield* newRunId, ({ collections }) => {
    const found = collections.find((one) => one.name === name)
    const names = namesOf(collections)
    if (found === undefined) return new NoCollection({ what: `No collection is called ${name}`, names })
    if (found.before.length === 0)
      return new NoCollection({ what: `Nothing was in ${name} before what is there now`, names })
    const restored: Collection = { name, imports: found.before, before: found.imports }
    const next = collections.map((one) => (one.name === name ? restored : one))
    return Effect.succeed([{ collections: next }, restored] as const)
  })
})

/** Removes a collection with its files. */
export const removeCollection = Effect.fn("removeCollection")(function* (name: string) {
  return yield* changeOwn(yield* newRunId, ({ collections }) => {
    const found = collections.find((one) => one.name === name)
    if (found === undefined)
      return new NoCollection({ what: `No collection is called ${name}`, names: namesOf(collections) })
    return Effect.succeed([{ collections: collections.filter((one) => one !== found) }, found] as const)
  })
})
