import { parseCopies, parseMoney } from "./figures.ts"
import { foldWords } from "./parseWords.ts"

/**
 * The facts about a card that a row of a collection file may have, each with the words of its header, folded and without
 * spaces, the best first. `set` is a set's code or name. `word?` counts if the column's values
 * fit the field; `word+other` also needs a column `other`. A marketplace's own `product_id` is not a tool's `Product ID`.
 */
const headerWords = {
  /** The row's own place in the table, which is no card's number. */
  rowNumber: "#? no? nr? num?",
  list: "list bindername binder foldername folder listname portfolioname portfolio ordner classeur carpeta cartella pasta",
  listKind: "listkind bindertype listtype",
  watched: "watchlist",
  game: "game productline spiel jeu juego gioco jogo gra ゲーム",
  gameId: "gameid",
  productId: "product_id",
  sourceEur: "idproduct cardmarketid cardmarketproductid idcardmarket mkmid mcmid",
  sourceUsd: "tcgplayerproductid tcgplayerid tcgid tcgproductid",
  mtgId: "scryfallid scryfall",
  name: "name cardname card productname englishname simplename kartenname karte nomdelacarte nom carte nombredelacarta nombredecarta carta nomedacarta nomedellacarta nomecarta nome nazwakarty nazwa karta カード名 名前 naam kaartnaam namn navn title nombre?",
  setCode:
    "setcode editioncode expansioncode expcode setprefix setid exp setkurzel setabkurzung editionskurzel kurzel codeduset codedelextension codeextension codedeledition codigodelset codigodeset codigodelaedicion codigodeedicion codicedelset codiceset codiceespansione codiceedizione codigodacolecao codigodaedicao kodzestawu kodedycji セットコード code?",
  setName:
    "setname editionname expansionname expname cardset nomduset nomdelextension nombredelset nombredelaedicion nomedelset nomedacolecao nazwazestawu nazwaedycji セット名",
  set: "set edition expansion extension erweiterung ausgabe edicion coleccion expansion espansione edizione edicao colecao edycja zestaw dodatek セット エキスパンション",
  number:
    "collectornumber cardnumber number setnumber printnumber kartennr sammlernr collectornr variantnumber collectorno cardno no nr num # nummer kartennummer sammlernummer numero numerodecarte numerodelacarte numerodecollection numerodecoleccionista numerodecarta numerodicollezione numerocarta numerodecolecionador numer numerkarty kaartnummer verzamelnummer 番号 カード番号 コレクター番号 cardcode cardid? code?",
  quantity:
    "normal+foil nonfoil+foil regular+foil standard+foil quantity qty count copies amount totalquantity quantityx groupcount regqty regularqty regularquantity normalqty normalquantity nonfoilqty nonfoilquantity have owned qtyowned quantityowned noowned nrowned numberofcopies cardq stk anzahl menge stuck stuckzahl bestand exemplare quantite exemplaires cantidad unidades copias quantita qta copie quantidade qtd qtde ilosc liczba sztuk antal 枚数 数量 所持数 所持枚数 aantal nombre? total?",
  foilQuantity:
    "foil+normal foil+nonfoil foil+regular foil+standard foilqty qtyfoil foilquantity quantityfoil foilcount foilcopies foilowned",
  finish:
    "finish printing foil isfoil foils foilnonfoil holo isholo premium ausfuhrung folie foliert brillant brillante acabado finitura acabamento wykonczenie foliowana foliowane フォイル 仕上げ",
  foiling: "foiling",
  printEdition: "printedition",
  reverse: "isreverseholo reverseholo",
  etched: "isetched etched isfoiletched foiletched",
  playset: "playset isplayset",
  condition:
    "condition cardcondition cond zustand zust erhaltung etat estado condicion condizione condizioni condicao qualidade qualite qualita calidad stan 状態 コンディション conditie skick stand",
  language: "language lang cardlanguage idlanguage sprache spr langue idioma lingua jezyk 言語 taal sprak sprog",
  grade: "grade graded grading",
  altered:
    "altered alter isaltered alteredart alteration altere alteree alterado alterada alterato alterata modifie modifiee modificado modificada modificato modificata verandert bemalt zmieniona przerobiona",
  signed:
    "signed issigned signing signature signiert signe signee firmado firmada firmato firmata assinado assinada podpisana",
  misprint: "misprint ismisprint fehldruck",
  proxy: "proxy isproxy playtestcard",
  paid: "paid purchaseprice pricepaid paidprice pricebought acquiredprice boughtprice boughtfor buyprice purchasecost costbasis averagecostpaid averagecost unitcost acquisitionprice kaufpreis einkaufspreis bezahlt prixdachat prixpaye preciodecompra preciopagado precodecompra precopago prezzodacquisto prezzodiacquisto prezzopagato cenazakupu 購入価格 購入額 aankoopprijs cost? acquired?",
  currency: "currency purchasepricecurrency paidcurrency pricecurrency wahrung devise moneda valuta moeda waluta 通貨",
  added:
    "added dateadded addedon addedat datebought purchasedate dateacquired acquireddate acquiredon dateofpurchase hinzugefugt hinzugefugtam kaufdatum dateajout datedajout datedachat fechadecompra datadacquisto datadiacquisto datadecompra datazakupu 追加日 購入日 acquired? date?"
}

export type Field = keyof typeof headerWords
const fields = Object.keys(headerWords) as ReadonlyArray<Field>

/** Facts about the files of a tool. The words of headers are in `headerWords`; a list of headers is separated by commas. */
export interface Format {
  readonly tool: string
  /** The only game that the tool knows; missing = it knows several. */
  readonly game?: string
  /** Headers that together identify the tool, in any order. */
  readonly has: string
  /** The header of a field that its words do not tell; of several, as in `Simple Name/Name`, the first with a value counts. */
  readonly says?: Readonly<Partial<Record<Field, string>>>
  /** Headers whose words mislead. */
  readonly ignores?: string
}

/** A table's columns: the indexes of each field's columns, and the headers that no field has. */
export interface Columns {
  readonly places: ReadonlyMap<Field, ReadonlyArray<number>>
  readonly unused: ReadonlyArray<string>
}

/** Normalizes a header for comparison, without a date, as in `Market Price (As of 2026-07-19)`. */
export const headerKey = (header: string): string => {
  const text = header.trim().replace(/\s*\(as of [^)]*\)$/i, "")
  if (/^product_id$/i.test(text) || text === "#") return text.toLowerCase()
  return foldWords(text.replaceAll(/#|n°/gi, " no ")).join("")
}

/** Returns the format whose identifying headers are all present; of several, the one with the most. Null = none. */
export const detectFormat = (header: ReadonlyArray<string>): Format | null => {
  const keys = new Set(header.map(headerKey))
  const fitting = formats.filter(({ has }) => has.split(", ").every((name) => keys.has(headerKey(name))))
  return fitting.toSorted((a, b) => b.has.split(", ").length - a.has.split(", ").length)[0] ?? null
}

const isDate = (text: string): boolean => /^\d{4}[-./]\d{1,2}[-./]\d{1,2}|^\d{1,2}[-./]\d{1,2}[-./]\d{2,4}/.test(text)

/** Whether a value can belong to a field, for headers whose word leaves that open. */
const fits: Readonly<Partial<Record<Field, (text: string, place: number) => boolean>>> = {
  rowNumber: (text, place) => Number(text) === place + 1,
  setCode: (text) => /^[\p{L}\d]{2,5}$/u.test(text),
  name: (text) => /\p{L}/u.test(text),
  number: (text) => /^\p{L}[\p{L}\d]{1,5}[- ]?(\p{L}{2})?\d+\p{L}?$/u.test(text),
  quantity: (text) => parseCopies(text) !== null,
  foilQuantity: (text) => parseCopies(text) !== null,
  paid: (text) => !isDate(text) && parseMoney(text, ".") !== null,
  added: isDate
}

const words = new Map(
  fields.map((field) => [
    field,
    headerWords[field].split(" ").map((word) => /^([^?+]+)(\?)?(?:\+(.*))?$/.exec(word) ?? [])
  ])
)

/** Finds the columns of each field: those that the tool's format names, else the first whose header has a word for it. */
export const findColumns = (
  format: Format | null,
  header: ReadonlyArray<string>,
  sample: ReadonlyArray<ReadonlyArray<string>>
): Columns => {
  const places = new Map<string, number>()
  // A header such as `Price paid (EUR)` counts without its brackets where no other has that word.
  for (const texts of [header, header.map((name) => name.replace(/\s*[([][^)\]]*[)\]]\s*$/, ""))])
    for (const [place, name] of texts.entries()) if (!places.has(headerKey(name))) places.set(headerKey(name), place)
  const findPlaces = (names: ReadonlyArray<string>) => names.flatMap((name) => places.get(headerKey(name)) ?? [])
  const found = new Map<Field, ReadonlyArray<number>>()
  for (const field of fields) {
    const names = format?.says?.[field]
    if (names !== undefined) found.set(field, findPlaces(names.split("/")))
  }
  const used = new Set([...[...found.values()].flat(), ...findPlaces(format?.ignores?.split(", ") ?? [])])
  const doFit = (field: Field, place: number): boolean => {
    const values = sample.flatMap((cells) => cells[place] || [])
    const fitting = values.filter((value, at) => fits[field]?.(value, at) ?? true).length
    // One card with the number 1 does not count rows.
    return field === "rowNumber"
      ? values.length > 1 && fitting === values.length
      : fitting * 2 >= Math.max(1, values.length)
  }
  for (const field of fields) {
    if (found.has(field)) continue
    const place = (words.get(field) ?? [])
      .filter(([, word = "", isOpen, other]) => {
        const at = places.get(word)
        if (at === undefined || used.has(at)) return false
        return isOpen === undefined && other === undefined
          ? true
          : doFit(field, at) && (other === undefined || places.has(other))
      })
      .map(([, word = ""]) => places.get(word))[0]
    if (place === undefined) continue
    used.add(place)
    found.set(field, [place])
  }
  const unused = header.filter((name, place) => name !== "" && !used.has(place))
  return { places: found, unused }
}

const identities: ReadonlyArray<Field> = ["name", "productId", "sourceEur", "sourceUsd", "mtgId"]

/** True if the columns say which card a row is. */
export const identifyCards = ({ places }: Columns): boolean =>
  identities.some((field) => places.has(field)) ||
  (places.has("number") && (["setCode", "setName", "set"] as const).some((field) => places.has(field)))

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
