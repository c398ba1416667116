import { Effect } from "effect"
import { readOwn } from "../src/desk/own/Own.ts"
import { removeCollection, restoreCollection } from "../src/desk/own/changeOwn.ts"
import { importCollection } from "../src/desk/own/importCollection.ts"
import { askFirst } from "./print/askFirst.ts"
import { collectionsText, importedText } from "./print/collectionText.ts"
import { printAnswer } from "./print/printAnswer.ts"
import type * as specs from "./specs/own.ts"
import type { Input } from "./specs/spec.ts"

/** Imports a file with the user's cards. */
export const importing = Effect.fnUntraced(function* (input: Input<typeof specs.importCollection>) {
  const { add, currency, file, game, json, name } = input
  const imported = yield* importCollection({ file, name, add, game, currency })
  yield* printAnswer(json, imported, importedText)
})

/** Lists the collections. */
export const list = Effect.fnUntraced(function* ({ json }: Input<typeof specs.listCollections>) {
  const { collections } = yield* readOwn
  yield* printAnswer(json, collections, collectionsText)
})

/** Restores what a collection had before its last import. */
export const restore = Effect.fnUntraced(function* ({ json, name }: Input<typeof specs.restoreCollection>) {
  yield* printAnswer(json, yield* restoreCollection(name), (restored) => collectionsText([restored]))
})

/** Removes a collection after confirmation. */
export const remove = Effect.fnUntraced(function* ({ json, name, yes }: Input<typeof specs.removeCollection>) {
  yield* askFirst(
    { json, yes, what: "remove deletes the collection" },
    Effect.succeed(`Delete the collection ${name}? The imported files stay unchanged`)
  )
  yield* printAnswer(
    json,
    yield* removeCollection(name),
    () => `${name} is deleted; the files that you imported are unchanged`
  )
})
