import { Console, Effect } from "effect"
import { needFolder } from "../src/store/lake/publish/openLake.ts"
import { readOwn } from "../src/desk/own/Own.ts"
import { removeCollection, restoreCollection } from "../src/desk/own/changeOwn.ts"
import { importCollection } from "../src/desk/own/importCollection.ts"
import { readCollectionFile } from "../src/desk/own/readFile.ts"
import { answerReview, isReview, reviewCollection } from "../src/desk/own/reviewCollection.ts"
import { askFirst } from "./print/askFirst.ts"
import { answeredText, collectionsText, importedText, reviewCsv, reviewText } from "./print/collectionText.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/own.ts"

/** Imports a file with the user's cards. */
export const importing = Effect.fnUntraced(function* (input: typeof specs.importCollection.Input) {
  const { add, currency, file, game, json, name } = input
  const read = yield* readCollectionFile(file)
  if (isReview(read)) yield* printAnswer(json, yield* answerReview(read, file), answeredText)
  else yield* printAnswer(json, yield* importCollection({ file, name, add, game, currency }, read), importedText)
})

/** Lists what is open in a collection. */
export const review = Effect.fnUntraced(function* ({ csv, json, name }: typeof specs.reviewCollection.Input) {
  if (csv && json) return yield* wrongUsage("Choose one of --csv and --json")
  const open = yield* reviewCollection(name)
  if (csv) yield* Console.log(reviewCsv(open).trimEnd())
  else yield* printAnswer(json, open, (found) => reviewText(name, found))
})

/** Lists the collections. */
export const list = Effect.fnUntraced(function* ({ json }: typeof specs.listCollections.Input) {
  yield* needFolder
  const { collections } = yield* readOwn
  yield* printAnswer(json, collections, collectionsText)
})

/** Restores what a collection had before its last import. */
export const restore = Effect.fnUntraced(function* ({ json, name }: typeof specs.restoreCollection.Input) {
  yield* printAnswer(json, yield* restoreCollection(name), (restored) => collectionsText([restored]))
})

/** Removes a collection after confirmation. */
export const remove = Effect.fnUntraced(function* ({ json, name, yes }: typeof specs.removeCollection.Input) {
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
