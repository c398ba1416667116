import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { askFirst, yes, textArgument, home, json, optionalText, switchFlag } from "./flags/sharedFlags.ts"
import { lakeOnly } from "./flags/inLake.ts"
import { printAnswer } from "./print/printAnswer.ts"

const file = textArgument("file").pipe(
  Argument.withDescription("An export of ManaBox, Moxfield, Archidekt, Deckbox, TCGplayer, Cardmarket or another tool")
)
const name = optionalText("name", "NAME", "The collection; default: the file's name")
const add = switchFlag("add", "Add to what is in the collection, instead of replacing it")
const game = optionalText("game", "GAME", "The only game its cards are of")
const currency = optionalText("currency", "CODE", "Currency of the prices paid, where the file does not say: EUR")

const importing = Command.make(
  "import",
  { file, name, add, game, currency, home, json },
  Effect.fnUntraced(function* ({ add, currency, file, game, json, name }) {
    const { importCollection } = yield* Effect.promise(() => import("../src/desk/own/importCollection.ts"))
    const { importedText } = yield* Effect.promise(() => import("./print/collectionText.ts"))
    const imported = yield* importCollection({
      file,
      name: Option.getOrNull(name),
      add,
      game: Option.getOrNull(game),
      currency: Option.getOrNull(currency)
    })
    yield* printAnswer(json, imported, importedText)
  })
).pipe(
  Command.withDescription("Match the rows of a file with products, and keep them as a collection"),
  Command.withExamples([
    { command: "cardlake collection import ManaBox_Collection.csv", description: "In place of what it had before" },
    {
      command: "cardlake collection import binder2.csv --name binder --add",
      description: "One more file of a collection"
    }
  ]),
  Command.provide((flags) => lakeOnly(flags))
)

const named = textArgument("name").pipe(Argument.withDescription("The collection"))

const list = Command.make(
  "list",
  { home, json },
  Effect.fnUntraced(function* ({ json }) {
    const { readOwn } = yield* Effect.promise(() => import("../src/desk/own/Own.ts"))
    const { collectionsText } = yield* Effect.promise(() => import("./print/collectionText.ts"))
    const { collections } = yield* readOwn
    yield* printAnswer(json, collections, collectionsText)
  })
).pipe(
  Command.withDescription("List the collections and the files that they are made of"),
  Command.provide((flags) => lakeOnly(flags))
)

const restore = Command.make(
  "restore",
  { name: named, home, json },
  Effect.fnUntraced(function* ({ json, name }) {
    const { restoreCollection } = yield* Effect.promise(() => import("../src/desk/own/changeOwn.ts"))
    const { collectionsText } = yield* Effect.promise(() => import("./print/collectionText.ts"))
    yield* printAnswer(json, yield* restoreCollection(name), (restored) => collectionsText([restored]))
  })
).pipe(
  Command.withDescription("Bring back what was in a collection before its last import; again: undo that"),
  Command.provide((flags) => lakeOnly(flags))
)

const remove = Command.make(
  "remove",
  { name: named, yes, home, json },
  Effect.fnUntraced(function* ({ json, name, yes }) {
    yield* askFirst(
      { json, yes, what: "remove deletes the collection" },
      Effect.succeed(`Delete the collection ${name}? The files that you imported are yours`)
    )
    const { removeCollection } = yield* Effect.promise(() => import("../src/desk/own/changeOwn.ts"))
    yield* printAnswer(
      json,
      yield* removeCollection(name),
      () => `${name} is gone; the files that you imported are yours`
    )
  })
).pipe(
  Command.withDescription("Remove a collection; asks first, on a terminal"),
  Command.provide((flags) => lakeOnly(flags))
)

/** The reader's own cards. */
export const collection = Command.make("collection").pipe(
  Command.withDescription("Your own cards, from the files of other tools: what they are worth, and what moved"),
  Command.withSubcommands([importing, list, restore, remove]),
  Command.withExamples([
    { command: "cardlake collection import ManaBox_Collection.csv", description: "Match its rows with products" },
    { command: 'cardlake query "from collection_totals()"', description: "What they are worth" }
  ])
)
