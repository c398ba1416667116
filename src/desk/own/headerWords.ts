/**
 * The facts about a card that a row of a collection file may have, each with the words of its header, folded and without
 * spaces, the best first. `set` is a set's code or name. `word?` counts if the column's values
 * fit the field; `word+other` also needs a column `other`. A marketplace's own `product_id` is not a tool's `Product ID`.
 */
export const headerWords = {
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
export const fields = Object.keys(headerWords) as ReadonlyArray<Field>
