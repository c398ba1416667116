import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { home, json, optionalText, switchFlag, textArgument, wholeNumberFlag, yes } from "../flags/sharedFlags.ts"
import { type Described, spec } from "./spec.ts"

export const importCollection = spec({
  name: "import",
  flags: {
    file: textArgument(
      "file",
      "An export of ManaBox, Moxfield, Archidekt, Deckbox, TCGplayer, Cardmarket or another tool, any table of cards, or a list; - reads standard input"
    ),
    name: optionalText("name", "NAME", "The collection; default: the file's name, or `list` for standard input"),
    add: switchFlag("add", "Add to what is in the collection, instead of replacing it"),
    game: optionalText("game", "GAME", "The game of all its cards"),
    currency: optionalText("currency", "CODE", "Currency of the prices paid, if the file names none: EUR"),
    home,
    json
  },
  description: "Match the rows of a file with products, and store them as a collection",
  examples: [
    ["cardlake collection import ManaBox_Collection.csv", "Replaces its earlier content"],
    ["cardlake collection import binder2.csv --name binder --add", "Adds a file to a collection"],
    ["cardlake collection import - --name deck", "Reads a list such as 4 Name (SET) 12 from standard input"]
  ]
})

export const reviewCollection = spec({
  name: "review",
  flags: {
    name: textArgument("name", "The collection"),
    csv: switchFlag("csv", "Write CSV with a column product_id to fill; import that file to answer"),
    home,
    json
  },
  description: "List the rows that are no product yet, by reason, each with up to five products that it can be",
  examples: [
    ["cardlake collection review binder", "What is open, and why"],
    [
      "cardlake collection review binder --csv > open.csv",
      "Fill product_id; `none`: no product of this lake; `ask`: take back"
    ],
    ["cardlake collection import open.csv", "Store the answers, also for later imports"]
  ]
})

export const listCollections = spec({
  name: "list",
  flags: { home, json },
  description: "List the collections and their files"
})

export const restoreCollection = spec({
  name: "restore",
  flags: { name: textArgument("name", "The collection"), home, json },
  description: "Undo the last import of a collection; run it again to redo"
})

export const removeCollection = spec({
  name: "remove",
  flags: { name: textArgument("name", "The collection"), yes, home, json },
  description: "Delete a collection; asks for confirmation"
})

export const collection = {
  name: "collection",
  description: "Import your own cards from other tools: their value and price moves",
  examples: [
    ["cardlake collection import ManaBox_Collection.csv", "Match its rows with products"],
    ['cardlake query "from collection_totals()"', "Their value"]
  ]
} satisfies Described<string>

const figure = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("FIGURE"),
    Flag.withDescription(description),
    Flag.filter(
      (text) => /^\d{1,12}(\.\d{1,4})?$/.test(text),
      () => "Expected a number such as 20 or 19.99"
    ),
    Flag.optional
  )

export const addWatch = spec({
  name: "add",
  flags: {
    product: textArgument("product", "A product's id, or a name that only one product has, with --set in its set"),
    set: optionalText("set", "SET", "The code or name of the product's set"),
    game: optionalText("game", "GAME", "The game, if several have this id"),
    finish: optionalText("finish", "FINISH", "One finish, such as Foil; default: each"),
    source: Flag.Literals("source", ["sourceEur", "sourceUsd"]).pipe(
      Flag.withDescription("One price source; default: each"),
      Flag.optional
    ),
    below: figure("below", "Report a market value below this, in the source's currency"),
    above: figure("above", "Report a market value above this"),
    percent: figure("percent", "Report a move of this percentage, up or down"),
    days: wholeNumberFlag("days", "N", { from: 1, to: 365 }).pipe(
      Flag.withDescription("Days within which it moves"),
      Flag.withDefault(7)
    ),
    home,
    json
  },
  description: "Watch a product's price: nights and reports show when it reaches a bound",
  examples: [
    ["cardlake watch add 10016 --below 0.50", "When it gets cheap"],
    ['cardlake watch add "EMB 40" --below 2', "By set and number; --set EMB says the set of a name"],
    ["cardlake watch add 10007 --finish Foil --percent 20 --days 30", "When it moves"]
  ]
})

export const listWatched = spec({
  name: "list",
  flags: { home, json },
  description: "List watched prices with their current values"
})

export const removeWatch = spec({
  name: "remove",
  flags: { number: Argument.Int("number").pipe(Argument.withDescription("Number in `watch list`")), home, json },
  description: "Stop watching a price"
})

export const watch = {
  name: "watch",
  description: "Watch prices, each with its bounds",
  examples: [
    ["cardlake watch add 10016 --below 0.50", "Report a price below 0.50"],
    ["cardlake watch list", "Watched prices with their current values"]
  ]
} satisfies Described<string>

const meant = {
  game: textArgument("game", "The game's id"),
  id: optionalText("id", "ID", "An external id: the findings of all its products"),
  product: Flag.Int("product").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("A product's id: all its findings, or with --id those of that id"),
    Flag.optional
  ),
  kind: optionalText("kind", "KIND", "One kind: shared, moved, doubled, missing or apart; default: each")
}

export const confirmIds = spec({
  name: "confirm",
  flags: { ...meant, why: optionalText("why", "TEXT", "What you checked; stored with it"), home, json },
  description: "Store that findings of the id audit are not wrong: pages list them apart, also after later nights",
  examples: [
    ['cardlake audit confirm emberfall --id 300 --why "Both halves of one card"', "All products of an id"],
    ["cardlake audit confirm emberfall --product 10016", "All findings of a product"]
  ]
})

export const listConfirmed = spec({
  name: "list",
  flags: { home, json },
  description: "List the findings that are confirmed as not wrong"
})

export const doubtIds = spec({
  name: "doubt",
  flags: { ...meant, home, json },
  description: "Take back that findings are not wrong",
  examples: [["cardlake audit doubt emberfall --id 300", "The audit reports them again"]]
})

export const audit = {
  name: "audit",
  description: "Say which findings of the id audit are not wrong",
  examples: [
    ["cardlake audit confirm emberfall --id 300", "They are not wrong"],
    ["cardlake audit list", "What is confirmed"]
  ]
} satisfies Described<string>
