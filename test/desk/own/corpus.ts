import { hash } from "node:crypto"
import { deploymentsOf, linesOf } from "../../pipelines/realCatalogue.ts"

/** A card of a real catalogue, with what tools know of it. */
export interface Card {
  readonly game: string
  readonly id: string
  readonly name: string
  /** As tools write it that leave out the back, unless the front alone is another card. */
  readonly front: string
  readonly code: string
  readonly set: string
  /** Empty = the catalogue has none. */
  readonly number: string
  readonly finish: string
  /** First or unlimited edition; empty = the catalogue does not say. */
  readonly edition: string
  readonly ids: Readonly<Record<"sourceEur" | "sourceUsd" | "mtgId", string>>
  /** True if the row names a set that no catalogue has, so that no product is right. */
  readonly isElsewhere: boolean
}

interface Product {
  readonly id: number
  readonly name: string
  readonly productType: string
  readonly expansion?: { readonly code: string; readonly name: string }
  readonly printNumber?: string
  readonly variant?: string
  readonly finishes?: ReadonlyArray<string>
  readonly externalIds?: {
    readonly sourceEur?: ReadonlyArray<{ readonly id: number }>
    readonly sourceUsd?: ReadonlyArray<{ readonly id: number; readonly finish: string }>
    readonly mtgId?: string
  }
}

/** A number below `below` that depends only on the card and the question. */
const draw = (id: number | string, question: string, below: number): number =>
  Number.parseInt(hash("sha256", `${id} ${question}`, "hex").slice(0, 8), 16) % below

const readCard = (game: string, product: Product, names: ReadonlySet<string>): Card => {
  const [front = product.name] = product.name.split(" // ")
  const finishes = product.finishes ?? []
  const finish = finishes[draw(product.id, "finish", Math.max(1, finishes.length))] ?? "Standard"
  const usd = product.externalIds?.sourceUsd ?? []
  return {
    game,
    id: String(product.id),
    name: product.name,
    front: names.has(front) ? product.name : front,
    code: product.expansion?.code ?? "",
    set: product.expansion?.name ?? "",
    number: product.printNumber ?? "",
    finish,
    edition: { first: "1st Edition", unlimited: "Unlimited Edition", alpha: "Alpha" }[product.variant ?? ""] ?? "",
    ids: {
      sourceEur: String(product.externalIds?.sourceEur?.[0]?.id ?? ""),
      sourceUsd: String((usd.find((one) => one.finish === finish) ?? usd[0])?.id ?? ""),
      mtgId: product.externalIds?.mtgId ?? ""
    },
    isElsewhere: draw(product.id, "elsewhere", 40) === 0
  }
}

/** Cards of a game's newest deployment; `most` of them, drawn by their ids. */
export const cardsOf = (game: string, most: number): ReadonlyArray<Card> => {
  const products = linesOf(game, deploymentsOf(game).at(-1)?.date ?? "", "products")
    .map((line) => JSON.parse(line) as Product)
    .filter(({ productType }) => productType === "card")
  const names = new Set(products.map(({ name }) => name))
  return products
    .map((product) => [draw(product.id, "chosen", 2 ** 32), product] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, most)
    .map(([, product]) => readCard(game, product, names))
}

/** A card in the words of a tool: codes, set names and numbers differ between tools. */
type Said = Readonly<Record<"name" | "code" | "set" | "number" | "uuid" | "eur" | "usd" | "language", string>> & {
  readonly card: Card
  readonly isFoil: boolean
}

const elsewhere = { code: "ZZ9", set: "A Set of Another Shop" }

/** What all tools say of a card, with ids that no catalogue has where this one has none. */
const say = (card: Card): Said => ({
  card,
  name: card.name,
  ...(card.isElsewhere ? elsewhere : { code: card.code, set: card.set }),
  number: card.number,
  uuid: card.isElsewhere || card.ids.mtgId === "" ? inventUuid(card) : card.ids.mtgId,
  eur: card.isElsewhere ? "" : card.ids.sourceEur,
  usd: card.isElsewhere || card.ids.sourceUsd === "" ? `9${draw(card.id, "usd", 1e9)}` : card.ids.sourceUsd,
  language: draw(card.id, "language", 8) === 0 ? "German" : "English",
  isFoil: card.finish !== "Standard"
})

const inventUuid = ({ id }: Card): string => {
  const text = hash("sha256", id, "hex")
  return `ffff${text.slice(0, 4)}-${text.slice(4, 8)}-4${text.slice(8, 11)}-8${text.slice(11, 14)}-${text.slice(14, 26)}`
}

/** Set names as Scryfall has them, with the sets of extras apart, as in the lake. */
const apart = (card: Card): Said => {
  const entry = say(card)
  const set = entry.set.replace(": Promos", " Promos").replace(/^Commander: (.*?)(: Extras)?$/, "$1 Commander$2")
  return { ...entry, set }
}

/** As tools say it that know numbers as Scryfall does: extras are in the set that they belong to, with other numbers. */
const scryfall = (card: Card): Said => {
  const entry = apart(card)
  const number = card.number || String(1000 + draw(card.id, "number", 500))
  return { ...entry, number, set: entry.set.replace(/: Extras$/, ""), code: extras(entry.code, card) }
}
const extras = (code: string, card: Card) => (card.set.endsWith(": Extras") ? code.replace(/^X/, "") : code)
const front = (entry: Said): Said => ({ ...entry, name: entry.card.front })

/** As the shop with the ids of the USD source says it: a treatment is part of the name. */
const shop = (card: Card): Said => {
  const entry = scryfall(card)
  return { ...entry, name: `${entry.name}${card.set.endsWith(": Extras") ? " (Showcase)" : ""}` }
}

const lines: Readonly<Record<string, string>> = {
  magic: "Magic: The Gathering",
  fleshandblood: "Flesh & Blood TCG",
  riftbound: "Riftbound: League of Legends Trading Card Game"
}
const printing = ({ card, isFoil }: Said): string =>
  [card.edition, isFoil ? (card.game === "magic" ? "Foil" : card.finish) : "Normal"]
    .filter((word) => word !== "")
    .join(" ")

/** Words that stand for a card in a tool's row; `foil?yes:no` depends on its finish. */
const words: Readonly<Record<string, (entry: Said) => string>> = {
  name: ({ name }) => name,
  simple: ({ name }) => name.replace(/ \([^)]*\)$/, ""),
  code: ({ code }) => code,
  lower: ({ code }) => code.toLowerCase(),
  set: ({ set }) => set,
  number: ({ number }) => number,
  uuid: ({ uuid }) => uuid,
  eur: ({ card, eur }) => (card.isElsewhere ? "999999999" : eur),
  usd: ({ usd }) => usd,
  language: ({ language }) => language,
  printing,
  seller: (entry) => `Near Mint ${printing(entry)}`.replace(" Normal", ""),
  line: ({ card }) => lines[card.game] ?? "",
  product: ({ card }) => (card.isElsewhere ? "1" : card.id),
  title: ({ card, name }) => (card.isElsewhere ? "No Such Card" : name),
  finish: ({ card }) => card.finish
}

const views: Readonly<Record<string, (card: Card) => Said>> = {
  say,
  apart,
  "apart front": (card) => front(apart(card)),
  scryfall,
  "scryfall front": (card) => front(scryfall(card)),
  // Rows without a set are of no other set.
  "scryfall without set": (card) => scryfall({ ...card, isElsewhere: false }),
  shop
}

/** How a tool writes a card: its games, how it sees cards, then its columns with what it writes there. */
const toolFiles = `
Own table; all; say; product_id=$product,name=$title,finish=$finish,quantity=1
ManaBox; magic; scryfall; Name=$name,Set code=$code,Set name=$set,Collector number=$number,Foil=$foil?foil:normal,Rarity=rare,Quantity=1,ManaBox ID=1,Scryfall ID=$uuid,Purchase price=,Misprint=false,Altered=false,Condition=near_mint,Language=en,Purchase price currency=EUR
Moxfield; magic; scryfall; Count=1,Tradelist Count=1,Name=$name,Edition=$lower,Condition=Near Mint,Language=$language,Foil=$foil?foil:,Tags=,Last Modified=,Collector Number=$number,Alter=False,Proxy=False,Purchase Price=
Archidekt; magic; scryfall; Quantity=1,Name=$name,Finish=$foil?Foil:Normal,Condition=NM,Date Added=,Language=EN,Purchase Price=,Tags=,Edition Name=$set,Edition Code=$lower,Multiverse Id=0,Scryfall ID=$uuid,Collector Number=$number
Archidekt, few columns; magic; apart; Quantity=1,Name=$name,Finish=$foil?Foil:Normal,Edition Code=$lower
Deckbox, old; magic; scryfall; Count=1,Tradelist Count=0,Name=$name,Edition=$set,Card Number=$number,Condition=Near Mint,Language=$language,Foil=$foil?foil:,Signed=,Artist Proof=,Altered Art=,Misprint=,Promo=,Textless=,My Price=
Deckbox, new; magic; scryfall; Count=1,Tradelist Count=0,Name=$name,Edition=$set,Edition Code=$code,Card Number=$number,Condition=Near Mint,Language=$language,Foil=$foil?foil:,Signed=,Artist Proof=,Altered Art=,Misprint=,Promo=,Textless=,Printing Id=1,Printing Note=,Tags=,My Price=,TcgPlayer ID=$usd,Scryfall ID=$uuid
Cardsphere; magic; apart front; Count=1,Tradelist Count=0,Name=$name,Edition=$set,Condition=NM,Language=EN,Foil=$foil?Y:N,Tags=,Scryfall ID=$uuid,Last Modified=
Dragon Shield; all; scryfall front; Folder Name=Box,Quantity=1,Trade Quantity=0,Card Name=$name,Set Code=$code,Set Name=$set,Card Number=$number,Condition=NearMint,Printing=$printing,Language=$language,Price Bought=,Date Bought=,LOW=,MID=,MARKET=
Sorted; all; scryfall; List Type=Folder,List Name=Box,Collection=,Format=,Board=,Quantity=1,Card Name=$name,Set Code=$code,Set Name=$set,Card Number=$number,Condition=NearMint,Printing=$printing,Rarity=,Language=$language,Price Bought=,Date Bought=
TCGplayer app; all; shop; Quantity=1,Name=$name,Simple Name=$simple,Set=$set,Card Number=$number,Set Code=$code,Printing=$printing,Condition=Near Mint,Language=$language,Rarity=Rare,Product ID=$usd,SKU=1
TCGplayer seller; all; shop; TCGplayer Id=1,Product Line=$line,Set Name=$set,Product Name=$name,Title=,Number=$number,Rarity=R,Condition=$seller,TCG Market Price=,TCG Direct Low=,TCG Low Price With Shipping=,TCG Low Price=,Total Quantity=1,Add to Quantity=0,TCG Marketplace Price=,Photo URL=
Delver Lens, ids; magic; scryfall; Name=$name,Acquired Price=,Language=$language,Set Code=$code,TCGPlayer Product ID=$usd,Number=$number,Foil=$foil?foil:,Quantity=1
Delver Lens, set names; magic; apart front; Reg Qty=$foil?0:1,Foil Qty=$foil?1:0,Name=$name,Set=$set,Acquired=,Language=$language
Delver Lens, codes; magic; apart; QuantityX=1x,Name=$name,Edition code=$code,Foil=$foil?Foil:
Collectr; all; shop; Portfolio Name=Main,Category=$line,Set=$set,Product Name=$name,Card Number=$number,Rarity=Rare,Variance=$printing,Grade=Ungraded,Card Condition=Near Mint,Average Cost Paid=,Quantity=1,Market Price (As of 2026-07-19)=,Price Override=0,Watchlist=false,Date Added=,Notes=
Cardmarket, ids; magic; say; idProduct=$eur,groupCount=1,price=,idLanguage=1,condition=NM,isFoil=$foil?1:0,isSigned=0,isAltered=0,isPlayset=0
Cardmarket, names; magic; say; idArticle=1,idProduct=$eur,English Name=$name,Local Name=$name,Exp.=$code,Exp. Name=$set,Language=$language,Condition=NM,isFoil=$foil?1:,isSigned=,isPlayset=,isAltered=,Comments=,Amount=1,Price=
Helvault, free; magic; scryfall without set; extras=$foil?foil:,language=en,name=$name,quantity=1,scryfall_id=$uuid
Helvault Pro; magic; scryfall; collector_number=$number,estimated_price=,extras=$foil?foil:,language=en,name=$name,oracle_id=,quantity=1,rarity=,scryfall_id=$uuid,set_code=$lower,set_name=$set
MTGGoldfish; magic; apart front; Card=$name,Set ID=$code,Set Name=$set,Quantity=1,Foil=$foil?FOIL:,Variation=
DeckStats; magic; scryfall; amount=1,card_name=$name,is_foil=$foil?1:0,is_pinned=0,is_signed=0,set_id=1,set_code=$code,collector_number=$number,language=en,condition=NM,comment=,added=
TopDecked; magic; scryfall; QUANTITY=1,NAME=$name,SETCODE=$code,SETNAME=$set,COLLECTOR NUMBER=$number,FINISH=$foil?foil:,PRICE=,RARITY=,ID=$uuid,ACQUIRED DATE=,ACQUIRED PRICE=,LANG=en,PRICE SALE=,SIGNING=,ALTERATION=,CONDITION=NM,NOTES=,TAGS=
`

/** A tool that writes collections. */
export interface Tool {
  readonly tool: string
  readonly games: ReadonlyArray<string>
  readonly view: (card: Card) => Said
  readonly columns: ReadonlyArray<readonly [header: string, cell: (entry: Said) => string]>
}

const readCell = (text: string): ((entry: Said) => string) => {
  const [, foil, standard] = /^\$foil\?(.*):(.*)$/.exec(text) ?? []
  if (foil !== undefined) return ({ isFoil }) => (isFoil ? foil : (standard ?? ""))
  return words[text.replace(/^\$/, "")] ?? (() => text)
}

export const tools: ReadonlyArray<Tool> = toolFiles
  .trim()
  .split("\n")
  .map((line) => {
    const [tool = "", games, view = "", columns = ""] = line.split("; ")
    return {
      tool,
      games: games === "all" ? Object.keys(lines) : ["magic"],
      view: views[view] ?? say,
      columns: columns.split(",").map((column) => {
        const [header = "", ...cell] = column.split("=")
        return [header, readCell(cell.join("="))] as const
      })
    }
  })

const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The product that a row of a tool means; null = none that the catalogue has. */
export const rightOf = ({ view }: Tool, card: Card): string | null => (view(card).card.isElsewhere ? null : card.id)

/** The file that a tool writes of these cards; row n is card n. */
export const fileOf = ({ columns, view }: Tool, cards: ReadonlyArray<Card>): string => {
  const rows = cards.map(view).map((entry) => columns.map(([, cell]) => quoted(cell(entry))))
  return [columns.map(([header]) => header), ...rows].map((cells) => `${cells.join(",")}\n`).join("")
}
