import type { Format } from "./Format.ts"
import { type Field, fields } from "./headerWords.ts"

const isField = (text: string): text is Field => (fields as ReadonlyArray<string>).includes(text)

/**
 * The files of known tools, as they wrote them in 2026: a line with the headers that identify the tool. The words of
 * headers tell their meaning (`headerWords`). Lines below correct that: `field=Header`, `field=One/Other` for the first
 * one with a value, and `-Header` for one that means something else. A heading is the only game that the tools below know.
 * The identifier in a file of the USD source's sellers is a stock number, not a product.
 */
const toolFiles = `
[any game]
Cardlake: product_id
[Magic: The Gathering]
ManaBox: Set code, Collector number, Foil, Quantity, ManaBox ID
Moxfield: Count, Name, Edition, Collector Number
Archidekt: Quantity, Name, Finish, Edition Code
Deckbox: Count, Edition, Card Number
  setName=Edition, -Cost
Cardsphere: Count, Tradelist Count, Edition, Scryfall ID, Last Modified
  setName=Edition
Delver Lens: Quantity, TCGPlayer Product ID
Delver Lens: Reg Qty, Foil Qty, Name
  setName=Set
Delver Lens: QuantityX, Name
EchoMTG: Reg Qty, Foil Qty, Name, echo_inventory_id
  setName=Set
Helvault: extras, language, name, quantity, scryfall_id
  finish=extras, signed=extras, altered=extras, proxy=extras
MTGGoldfish: Card, Set ID, Quantity, Foil
DeckStats: amount, card_name, is_foil, collector_number
TopDecked: QUANTITY, NAME, SETCODE, FINISH
  mtgId=ID
[any game]
Dragon Shield: Folder Name, Quantity, Card Name, Set Code, Card Number, Printing
Dragon Shield: CardNumber, Expansion Code, Expansion Name, PurchasePrice, Single Current Price
Sorted: List Type, List Name, Card Name, Printing
TCGplayer app: Quantity, Simple Name, Printing, Product ID, SKU
  sourceUsd=Product ID, name=Simple Name/Name, setName=Set
TCGplayer app: Product ID, TCGplayer Id, Product Line, Product Name, Printing
  sourceUsd=Product ID, name=Product Name, quantity=Total Quantity/Add to Quantity, -TCGplayer Id, -Title
TCGplayer seller: TCGplayer Id, Product Line, Product Name, Total Quantity
  name=Product Name, quantity=Total Quantity/Add to Quantity, finish=Condition, condition=Condition, -TCGplayer Id, -Title
Collectr: Portfolio Name, Category, Product Name, Variance, Grade, Quantity
  game=Category, setName=Set, finish=Variance
Cardmarket: idProduct, groupCount
Cardmarket: idArticle, idProduct, English Name, Amount
[Flesh and Blood]
Fabrary: Identifier, Name, Set number, Foiling, Have
  setName=Set, printEdition=Edition
[Riftbound]
Riftbound.gg: CardId, Normal, Foil, Name, Set
  setName=Set
`

const readFormat = (game: string | null, text: string): Format => {
  const [, tool = "", has = "", rest = ""] = /^(.*?): ([^\n]*)\n?\s*(.*)$/s.exec(text) ?? []
  const corrections = rest.split(/,\s+/).filter((one) => one !== "")
  const says = corrections.flatMap((one) => {
    if (one.startsWith("-")) return []
    const [field = "", headers = ""] = one.split("=")
    if (!isField(field)) throw new Error(`${tool} has an unknown field: ${field}`)
    return [[field, headers.split("/")] as const]
  })
  return {
    tool,
    game,
    has: has.split(", "),
    says: Object.fromEntries(says),
    ignores: corrections.filter((one) => one.startsWith("-")).map((one) => one.slice(1))
  }
}

export const formats: ReadonlyArray<Format> = toolFiles
  .trim()
  .split(/\n(?=\[)/)
  .flatMap((section) => {
    const [heading = "", ...lines] = section.split("\n")
    const game = heading.slice(1, -1)
    const entries = lines.join("\n").split(/\n(?=\S)/)
    return entries.map((entry) => readFormat(game === "any game" ? null : game, entry))
  })
