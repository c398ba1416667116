import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { imported, ownRows, scryfallId, Shelf } from "./Shelf.ts"
import { readCases } from "../../support/readCases.ts"
import { tried } from "../../tried.ts"

const sql = (collection: string) =>
  `select coalesce(product_id::varchar, '-') || ' ' || coalesce(finish, '-') || ' ' || coalesce(cards::varchar, '-') || ' ' || verdict
   from collection_cards where collection = '${collection}' order by row, finish_said`

/**
 * A file of each tool, its header as its makers wrote it, with what is awkward in it; product, finish, cards and verdict
 * of each of its rows.
 */
const files = readCases(`
ManaBox
  Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency,Added
  Trades,binder,Wicker Hound,FEN,Fen of Reeds,7,foil,rare,2,1,${scryfallId(1)},1.50,false,false,near_mint,en,EUR,2026-01-01
  Trades,binder,Wicker Hound,FEN,Fen of Reeds,7,normal,rare,1,1,${scryfallId(1)},,false,false,light_played,de,EUR,
  Elves,deck,Wicker Hound,FEN,Fen of Reeds,7,foil,rare,1,1,,,false,false,near_mint,en,EUR,
  Trades,binder,Silver Etching,FEN,Fen of Reeds,80,etched,rare,1,1,${scryfallId(999)},,false,false,mint,en,EUR,
  Trades,binder,"Ice Giant, the Cold",FEN,Fen of Reeds,13,normal,rare,1,1,${scryfallId(2)},,false,false,mint,en,EUR,
  = 1 Foil 2 matched by mtgId
  = 1 Standard 1 matched by mtgId
  = 1 Foil 1 matched by set and number
  = 8 Etched Foil 1 matched by set and number
  = - - 1 ambiguous: its mtgId is Fire // Ice here
Moxfield
  "Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags","Last Modified","Collector Number","Alter","Proxy","Purchase Price"
  "4","4","Fire // Ice","fen","Near Mint","English","","","2026-01-01 00:00:00.000000","12a","False","False","0.10"
  "1","0","Glimmer","fen","Lightly Played","English","foil","","2026-01-01 00:00:00.000000","81","True","False",""
  "1","0","Æther Vial","xyz","Near Mint","English","","","2026-01-01 00:00:00.000000","","False","True",""
  = 2 Standard 4 matched by set and number
  = 9 Foil 1 matched by set and number
  = - - 1 unknown: this lake has no set XYZ
Archidekt
  Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,Collector Number
  3,Aether Vial,Normal,NM,2026-01-01,EN,2.5,,Marsh 71,m71,0,${scryfallId(3)},3
  1,Reed Colossus,Foil,HP,2026-01-01,JP,,,Fen of Reeds,fen,0,,
  1,Nobody,Normal,NM,2026-01-01,EN,,,Fen of Reeds,fen,0,,
  = 3 Standard 3 matched by mtgId
  = - - 1 ambiguous: 2 products
  = - - 1 unknown: no Nobody in Fen of Reeds
Deckbox
  Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price,TcgPlayer ID
  1,1,Silver Etching,Reeds (Fen),FEN,80,Near Mint,English,foil,,,,,,,1,,,$3.00,
  2,0,Kappa,Fen of Reeds,,82,Good (Lightly Played),Japanese,,signed,,,,,,1,,,,
  1,0,Glimmer,Fen of Reeds,,81,Mint,English,foil,,,,,,,1,,,,7001
  = 8 Etched Foil 1 matched by set and number
  = 10 Standard 2 matched by set and number
  = - - 1 ambiguous: its sourceUsd is Wicker Hound here
Dragon Shield
  "sep=,"
  Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET
  Box,2,1,Wicker Hound,FEN,Fen of Reeds,007,NearMint,Foil,English,1.00,2026-01-01,1,2,3
  Box,1,0,"Vial, Æther",FEN,Fen of Reeds,44,LightlyPlayed,Normal,English,1.00,2026-01-01,1,2,3
  = 1 Foil 2 matched by set and number
  = 4 Standard 1 matched by set and number
TCGplayer app
  Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU
  1,Wicker Hound (7),Wicker Hound,Fen of Reeds,007,FEN,Foil,Near Mint,English,Rare,7001,1
  2,Fen Booster Box,Fen Booster Box,Fen of Reeds,,FEN,Normal,Unopened,English,,7007,2
  = 1 Foil 1 matched by sourceUsd
  = 7 Standard 2 matched by sourceUsd
TCGplayer seller
  TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity,TCG Marketplace Price,Photo URL
  7003,Hollowmere,Fen of Reeds,Wicker Hound,,007,R,Near Mint Foil,1,1,1,1,3,0,1,
  7003,Hollowmere,Fen of Reeds,Wicker Hound,,007,R,Lightly Played,1,1,1,1,0,0,1,
  7003,Some Other Game,Fen of Reeds,Wicker Hound,,007,R,Lightly Played,1,1,1,1,1,0,1,
  7003,Hollowmere,Fen of Reeds,Wicker Hound,,007,R,Near Mint - Japanese,1,1,1,1,1,0,1,
  7003,Hollowmere,Fen of Reeds,Wicker Hound,,007,R,Near Mint Foil - Japanese,1,1,1,1,1,0,1,
  = 1 Foil 3 matched by set and number
  = 1 Standard 0 matched by set and number
  = - - 1 unknown: this lake has no game called Some Other Game
  = 1 Standard 1 matched by set and number
  = 1 Foil 1 matched by set and number
Delver Lens
  Reg Qty,Foil Qty,Name,Set,Acquired,Language
  2,1,Wicker Hound,Fen of Reeds,2026-01-01,English
  0,1,Glimmer,Fen of Reeds,2026-01-01,English
  0,0,Wicker Hound,Fen of Reeds,2026-01-01,English
  ,0,Wicker Hound,Fen of Reeds,2026-01-01,English
  = 1 Standard 2 matched by name
  = 1 Foil 1 matched by name
  = 9 Foil 1 matched by name
  = 1 Standard 0 matched by name
  = 1 Standard 0 matched by name
Delver Lens
  QuantityX,Name,Edition code,Foil
  4x,Wicker Hound,FEN,
  1x,Wicker Hound,FEN,Foil
  = 1 Standard 4 matched by name
  = 1 Foil 1 matched by name
Delver Lens
  Name,Acquired Price,Language,Set Code,TCGPlayer Product ID,Number,Foil,Quantity
  Wicker Hound,1.00,English,FEN,7001,7,foil,2
  Wicker Hound,1.00,English,FEN,7003,7,,1
  = 1 Foil 2 matched by sourceUsd
  = - - 1 ambiguous: its sourceUsd is Æther Vial here
Collectr
  Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price (As of 2026-07-19),Price Override,Watchlist,Date Added,Notes
  Main,Hollowmere,Fen of Reeds,Wicker Hound,007,Rare,Foil,PSA 10,Near Mint,5,1,9,0,false,2026-01-01,
  Main,Hollowmere,Fen of Reeds,Fen Booster Box,,,Normal,Ungraded,,80,1,9,0,false,2026-01-01,
  = 1 Foil 1 matched by set and number
  = 7 Standard 1 matched by name
Cardmarket
  idProduct;groupCount;price;idLanguage;condition;isFoil;isSigned;isAltered;isPlayset;isReverseHolo;isFirstEd;isFullArt;isUberRare;isWithDie
  1001;2;1.00;3;EX;0;0;0;1;0;0;0;0;0
  1101;1;1.00;1;NM;1;1;0;0;0;0;0;0;0
  9999;1;1.00;1;NM;0;0;0;0;0;0;0;0;0
  = 1 Standard 8 matched by sourceEur
  = 1 Foil 1 matched by sourceEur
  = - - 1 unknown: nothing here has its id
Cardmarket
  idArticle;idProduct;English Name;Local Name;Exp.;Exp. Name;Language;Condition;isFoil;isSigned;isPlayset;isAltered;Comments;Amount;Price
  1;1002;Fire // Ice;"Feuer // Eis; selten";FEN;Fen of Reeds;German;NM;;;;;"says ""hello""; twice";3;0.50
  = 2 Standard 3 matched by sourceEur
Helvault
  extras,language,name,quantity,scryfall_id
  foil,en,Wicker Hound,1,${scryfallId(1)}
  "foil,signed",ja,ウィッカー,2,${scryfallId(1)}
  = 1 Foil 1 matched by mtgId
  = 1 Foil 2 matched by mtgId
Cardlake
  product_id,finish,quantity
  8,Etched Foil,2
  8,Gold,1
  404,,1
  9,,1
  1,,one
  = 8 Etched Foil 2 matched by product id
  = 8 - 1 matched by product id
  = - - 1 unknown: nothing here has its id
  = 9 Foil 1 matched by product id
  = - - - unknown: its quantity is not a whole number
`)

suite(Shelf.layer, "a file of", (it) => {
  it("a seller says the language after the condition", function* () {
    const [, text = ""] = files.find(([tool]) => tool === "TCGplayer seller") ?? []
    yield* imported("tails", text)
    const sql = "select row, condition, language from collection_cards where collection = 'tails' order by row"
    assert.deepStrictEqual((yield* ownRows(sql)).slice(2), ["3 | LP | null", "4 | NM | ja", "5 | NM | ja"])
  })

  it("any tool says a language in English, in itself, in another one, or by a code", function* () {
    const languages: ReadonlyArray<readonly [code: string, words: ReadonlyArray<string>]> = [
      ["en", ["English", "Englisch", "Anglais", "Inglés", "EN", "en-US"]],
      ["fr", ["French", "Français", "FRANCAIS", "Französisch", "fr"]],
      ["de", ["German", "Deutsch", "Allemand", "GER"]],
      ["es", ["Spanish", "Español", "Spanisch", "sp"]],
      ["it", ["Italian", "Italiano", "Italienisch"]],
      ["pt", ["Portuguese", "Português", "Português (Brasil)", "Portuguese (Brazil)"]],
      ["ja", ["Japanese", "日本語", "Japanisch", "JP"]],
      ["ko", ["Korean", "한국어"]],
      ["ru", ["Russian", "Русский"]],
      ["zh-Hans", ["Chinese Simplified", "简体中文", "中文（简体）", "zhs"]],
      ["zh-Hant", ["Traditional Chinese", "繁體中文", "zht"]],
      ["null", ["Klingon"]]
    ]
    const rows = languages.flatMap(([code, words]) => words.map((word) => [word, code] as const))
    yield* imported("spoken", `product_id,language\n${rows.map(([word]) => `1,"${word}"`).join("\n")}\n`)
    const sql = "select language_said, language from collection_cards where collection = 'spoken' order by row"
    assert.deepStrictEqual(
      yield* ownRows(sql),
      rows.map((row) => row.join(" | "))
    )
  })

  for (const [place, [tool, text, expected]] of tried([...files.entries()], (_, index) => index % 4 === 0)) {
    it(`${tool} gives every row a verdict (file ${place})`, function* () {
      const made = yield* imported(`file${place}`, text.replaceAll("\n", "\r\n"))
      assert.strictEqual(made.tool, tool)
      assert.deepStrictEqual(yield* ownRows(sql(`file${place}`)), expected)
    })
  }
})
