import { type Field, fields, type Format } from "./Format.ts"

const isField = (text: string): text is Field => (fields as ReadonlyArray<string>).includes(text)

/**
 * The supported files, as their tools wrote them in 2026. Several formats are similar, so each lists headers that the
 * others lack. The identifier in the file of a seller at the USD source is a stock number, not a product.
 * Each tool has a line with its identifying headers. The lines below it map its columns: `field=Header`, or
 * `field=One/Other` for the first existing one.
 */
const toolFiles = `
Cardlake: product_id
  list=list, listKind=list_kind, gameId=game_id, productId=product_id, name=name, finish=finish, quantity=quantity,
  condition=condition, language=language, grade=grade, altered=altered, signed=signed, misprint=misprint, proxy=proxy, paid=paid,
  currency=currency, added=added
ManaBox: Set code, Collector number, Foil, Quantity, ManaBox ID
  list=Binder Name, listKind=Binder Type, mtgId=Scryfall ID, name=Name, setCode=Set code, setName=Set name,
  number=Collector number, finish=Foil, quantity=Quantity, condition=Condition, language=Language, altered=Altered, signed=Signed,
  misprint=Misprint, proxy=Proxy, paid=Purchase price, currency=Purchase price currency, added=Added
Moxfield: Count, Tradelist Count, Edition, Collector Number, Alter
  name=Name, setCode=Edition, number=Collector Number, finish=Foil, quantity=Count, condition=Condition, language=Language,
  altered=Alter, proxy=Proxy/Playtest Card, paid=Purchase Price
Archidekt: Quantity, Name, Finish
  mtgId=Scryfall ID, name=Name, setCode=Edition Code, setName=Edition Name, number=Collector Number, finish=Finish,
  quantity=Quantity, condition=Condition, language=Language, paid=Purchase Price, added=Date Added
Deckbox: Count, Tradelist Count, Edition, Card Number, Artist Proof
  sourceUsd=TcgPlayer ID, mtgId=Scryfall ID, name=Name, setCode=Edition Code, setName=Edition, number=Card Number, finish=Foil,
  quantity=Count, condition=Condition, language=Language, altered=Altered Art, signed=Signed, misprint=Misprint, paid=Cost
Cardsphere: Count, Tradelist Count, Edition, Scryfall ID, Last Modified
  mtgId=Scryfall ID, name=Name, setName=Edition, finish=Foil, quantity=Count, condition=Condition, language=Language
Dragon Shield: Folder Name, Quantity, Card Name, Set Code, Card Number, Printing
  list=Folder Name, name=Card Name, setCode=Set Code, setName=Set Name, number=Card Number, finish=Printing, quantity=Quantity,
  condition=Condition, language=Language, paid=Price Bought, added=Date Bought
Sorted: List Type, List Name, Card Name, Printing
  list=List Name, listKind=List Type, name=Card Name, setCode=Set Code, setName=Set Name, number=Card Number, finish=Printing,
  quantity=Quantity, condition=Condition, language=Language, paid=Price Bought, added=Date Bought
TCGplayer app: Quantity, Simple Name, Printing, Product ID, SKU
  sourceUsd=Product ID, name=Simple Name, setCode=Set Code, setName=Set, number=Card Number, finish=Printing, quantity=Quantity,
  condition=Condition, language=Language
TCGplayer seller: TCGplayer Id, Product Line, Product Name, Total Quantity
  game=Product Line, name=Product Name, setName=Set Name, number=Number, finish=Condition, quantity=Total Quantity,
  condition=Condition
Delver Lens: Quantity, TCGPlayer Product ID
  sourceUsd=TCGPlayer Product ID, name=Name, setCode=Set Code, number=Number, finish=Foil, quantity=Quantity, condition=Condition,
  language=Language, paid=Acquired Price
Delver Lens: Reg Qty, Foil Qty, Name
  name=Name, setCode=Set Code, setName=Set, number=Number, quantity=Reg Qty, foilQuantity=Foil Qty, condition=Condition,
  language=Language, added=Acquired
Delver Lens: QuantityX, Name
  sourceUsd=TCGPlayer Product ID, name=Name, setCode=Edition code, number=Number, finish=Foil, quantity=QuantityX,
  condition=Condition, language=Language, paid=Acquired Price
Collectr: Portfolio Name, Category, Product Name, Variance, Grade, Quantity
  list=Portfolio Name, watched=Watchlist, game=Category, name=Product Name, setName=Set, number=Card Number, finish=Variance,
  quantity=Quantity, condition=Card Condition, grade=Grade, paid=Average Cost Paid, added=Date Added
Cardmarket: idProduct, groupCount, isPlayset
  sourceEur=idProduct, finish=isFoil, alsoFinish=isReverseHolo, quantity=groupCount, playset=isPlayset, condition=condition,
  language=idLanguage, altered=isAltered, signed=isSigned
Cardmarket: idArticle, idProduct, English Name, Amount
  sourceEur=idProduct, name=English Name, setCode=Exp., setName=Exp. Name, finish=isFoil, quantity=Amount, playset=isPlayset,
  condition=Condition, language=Language, altered=isAltered, signed=isSigned
Helvault: extras, language, name, quantity, scryfall_id
  mtgId=scryfall_id, name=name, setCode=set_code, setName=set_name, number=collector_number, finish=extras, quantity=quantity,
  language=language, signed=extras, altered=extras, proxy=extras
MTGGoldfish: Card, Set ID, Quantity, Foil
  mtgId=Scryfall ID, name=Card, setCode=Set ID, setName=Set Name, number=Collector Number, finish=Foil, quantity=Quantity
DeckStats: amount, card_name, is_foil, collector_number
  name=card_name, setCode=set_code, number=collector_number, finish=is_foil, quantity=amount, condition=condition,
  language=language, signed=is_signed, added=added
TopDecked: QUANTITY, NAME, SETCODE, FINISH
  mtgId=ID, name=NAME, setCode=SETCODE, setName=SETNAME, number=COLLECTOR NUMBER, finish=FINISH, quantity=QUANTITY,
  condition=CONDITION, language=LANG, altered=ALTERATION, signed=SIGNING, paid=ACQUIRED PRICE, added=ACQUIRED DATE
`

const formatOf = (text: string): Format => {
  const [, tool = "", has = "", says = ""] = /^(.*?): (.*?)\n\s+(.*)$/s.exec(text) ?? []
  return {
    tool,
    has: has.split(", "),
    says: Object.fromEntries(
      says.split(/,\s+/).map((one) => {
        const [field = "", headers = ""] = one.split("=")
        if (!isField(field)) throw new Error(`${tool} has an unknown field: ${field}`)
        return [field, headers.split("/")]
      })
    )
  }
}

export const formats: ReadonlyArray<Format> = toolFiles
  .trim()
  .split(/\n(?=\S)/)
  .map(formatOf)
