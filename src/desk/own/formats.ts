import type { Format } from "../../warehouse/formats.ts"

const magic = "Magic: The Gathering"

/**
 * The files of known tools, as they wrote them in 2026. The words of headers tell their meaning (`headerWords`); `says`
 * and `ignores` correct that. The identifier in a file of the USD source's sellers is a stock number, not a product.
 */
export const formats: ReadonlyArray<Format> = [
  { tool: "Cardlake", has: "product_id" },
  { tool: "ManaBox", game: magic, has: "Set code, Collector number, Foil, Quantity, ManaBox ID" },
  { tool: "Moxfield", game: magic, has: "Count, Name, Edition, Collector Number" },
  { tool: "Archidekt", game: magic, has: "Quantity, Name, Finish, Edition Code" },
  { tool: "Deckbox", game: magic, has: "Count, Edition, Card Number", says: { setName: "Edition" }, ignores: "Cost" },
  {
    tool: "Cardsphere",
    game: magic,
    has: "Count, Tradelist Count, Edition, Scryfall ID, Last Modified",
    says: { setName: "Edition" }
  },
  { tool: "Delver Lens", game: magic, has: "Name, Foil, Quantity, TCGPlayer Product ID" },
  { tool: "Delver Lens", game: magic, has: "Reg Qty, Foil Qty, Name", says: { setName: "Set" } },
  { tool: "Delver Lens", game: magic, has: "QuantityX, Name" },
  { tool: "EchoMTG", game: magic, has: "Reg Qty, Foil Qty, Name, echo_inventory_id", says: { setName: "Set" } },
  {
    tool: "Helvault",
    game: magic,
    has: "extras, language, name, quantity, scryfall_id",
    says: { finish: "extras", signed: "extras", altered: "extras", proxy: "extras" }
  },
  { tool: "MTGGoldfish", game: magic, has: "Card, Set ID, Quantity, Foil" },
  { tool: "DeckStats", game: magic, has: "amount, card_name, is_foil, collector_number" },
  { tool: "TopDecked", game: magic, has: "QUANTITY, NAME, SETCODE, FINISH, ID", says: { mtgId: "ID" } },
  { tool: "Dragon Shield", has: "Folder Name, Quantity, Card Name, Set Code, Card Number, Printing" },
  { tool: "Dragon Shield", has: "CardNumber, Expansion Code, Expansion Name, PurchasePrice, Single Current Price" },
  { tool: "Sorted", has: "List Type, List Name, Card Name, Printing" },
  {
    tool: "TCGplayer app",
    has: "Quantity, Simple Name, Printing, Product ID, SKU",
    says: { sourceUsd: "Product ID", name: "Simple Name/Name", setName: "Set" }
  },
  {
    tool: "TCGplayer app",
    has: "Product ID, TCGplayer Id, Product Line, Product Name, Printing",
    says: { sourceUsd: "Product ID", name: "Product Name", quantity: "Total Quantity/Add to Quantity" },
    ignores: "TCGplayer Id, Title"
  },
  {
    tool: "TCGplayer seller",
    has: "TCGplayer Id, Product Line, Product Name, Total Quantity",
    says: {
      name: "Product Name",
      quantity: "Total Quantity/Add to Quantity",
      finish: "Condition",
      condition: "Condition"
    },
    ignores: "TCGplayer Id, Title"
  },
  {
    tool: "Collectr",
    has: "Portfolio Name, Category, Product Name, Variance, Grade, Quantity",
    says: { game: "Category", setName: "Set", finish: "Variance" }
  },
  {
    tool: "TappedOut",
    game: magic,
    has: "Qty, Name, Printing, Foil, Condition",
    says: { set: "Printing", finish: "Foil", listKind: "Board", language: "Language/Languange" }
  },
  {
    tool: "YGOPRODeck",
    game: "Yu-Gi-Oh!",
    has: "cardname, cardq, cardset, cardcode",
    says: { printEdition: "card_edition" }
  },
  { tool: "Cardmarket", has: "idProduct, groupCount" },
  { tool: "Cardmarket", has: "idArticle, idProduct, English Name, Amount" },
  {
    tool: "Fabrary",
    game: "Flesh and Blood",
    has: "Identifier, Name, Set number, Foiling, Have",
    says: { setName: "Set", printEdition: "Edition" }
  },
  { tool: "Riftbound.gg", game: "Riftbound", has: "CardId, Normal, Foil, Name, Set", says: { setName: "Set" } }
]
