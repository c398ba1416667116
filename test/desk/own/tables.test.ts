import { Effect } from "effect"
import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { Home } from "../../../src/store/home/Home.ts"
import { importedText } from "../../../pipelines/print/collectionText.ts"
import { main, node } from "../../pipelines/cli.ts"
import { cardsOf, faultOf, imported, ownRows, Shelf } from "./Shelf.ts"
import { tried } from "../../tried.ts"

/** Rows of a collection: product, finish, cards, condition, language, what was paid. */
const valuesOf = (name: string) =>
  ownRows(
    `select product_id, finish, cards, condition, language, paid, paid_currency from collection_cards where collection = '${name}' order by row, finish`
  )

/** Tables and lists of no known tool, with the rows that a person reads in them. */
const tables: ReadonlyArray<readonly [what: string, text: string | Buffer, rows: ReadonlyArray<string>]> = [
  [
    "whose only wrong byte is in its header, as a German Excel writes it",
    Buffer.from("Name;Set;St\xfcckzahl;Ausf\xfchrung\nWicker Hound;FEN;2;Foil\n", "latin1"),
    ["1 | Foil | 2 | null | null | null | null"]
  ],
  [
    "as a Polish Excel writes it",
    Buffer.from("Nazwa karty;Zestaw;Ilo\x9c\xe6;Foliowana\nWicker Hound;FEN;2;FA\xa3SZ\n", "latin1"),
    ["1 | Standard | 2 | null | null | null | null"]
  ],
  [
    "as a Japanese Excel writes it",
    Buffer.from("\x83J\x81[\x83h\x96\xbc,\x96\x87\x90\x94\nWicker Hound,2\n", "latin1"),
    ["1 | Standard | 2 | null | null | null | null"]
  ],
  [
    "that counts its rows in a column #, and names its currency in a header",
    "#,Name,Set,Collector #,Premium,Paid (EUR)\n1,Wicker Hound,FEN,7,Yes,2.5\n2,Glimmer,FEN,81,No,\n",
    ["1 | Foil | 1 | null | null | 2.5000 | EUR", "9 | null | 1 | null | null | null | null"]
  ],
  [
    "with a column for etched cards beside that for foils",
    "card_name,set_code,is_foil,is_etched\nSilver Etching,FEN,false,true\nWicker Hound,FEN,true,false\n",
    ["8 | Etched Foil | 1 | null | null | null | null", "1 | Foil | 1 | null | null | null | null"]
  ],
  [
    "that somebody made in German, with units behind counts",
    "Kartenname;Edition;Karten-Nr.;Stück;Kaufpreis (€)\nFire // Ice;FEN;12b;2 Stk.;1.000,50\nWicker Hound;FEN;7;1 szt.;$2\n",
    ["2 | Standard | 2 | null | null | 1000.5000 | EUR", "1 | Standard | 1 | null | null | 2.0000 | null"]
  ],
  [
    "whose number is N°, and whose language is the version",
    "Nom de la carte;Extension;N°;Langue;Prix payé\nFire // Ice;FEN;12a;VF;\\5400\n",
    ["2 | Standard | 1 | null | fr | 5400.0000 | null"]
  ],
  [
    "with a count of ordinary cards that the product is not printed as",
    "Name,Set,Normal,Foil\nGlimmer,FEN,2,1\n",
    ["9 | Foil | 1 | null | null | null | null", "9 | null | 2 | null | null | null | null"]
  ],
  [
    "of TappedOut, whose Printing is a set",
    "Board,Qty,Name,Printing,Foil,Alter,Signed,Condition,Languange\nmain,2,Wicker Hound,FEN,foil,-,-,NM,EN\n",
    ["1 | Foil | 2 | NM | en | null | null"]
  ],
  [
    "in German",
    "Kartenname;Set-Kürzel;Nummer;Anzahl;Folie;Zustand;Sprache;Kaufpreis\nWicker Hound;FEN;7;2;ja;leicht bespielt;Deutsch;1.234,50 €\n",
    ["1 | Foil | 2 | LP | de | 1234.5000 | EUR"]
  ],
  [
    "in French",
    "Nom de la carte\tExtension\tNuméro\tQuantité\tÉtat\tLangue\tPrix d'achat\tDevise\nWicker Hound\tFen of Reeds\t7\t1\tMoyen\tanglais\t2,50\tEUR\n",
    ["1 | Standard | 1 | MP | en | 2.5000 | EUR"]
  ],
  [
    "in Spanish, where Nombre is the name",
    "Nombre,Edición,Cantidad,Estado\nWicker Hound,FEN,3,Excelente\n",
    ["1 | Standard | 3 | LP | null | null | null"]
  ],
  [
    "with a column for normal and one for foil copies, both for one card",
    "Name,Set,Normal,Foil\nWicker Hound,FEN,2,1\nGlimmer,FEN,,3\n",
    [
      "1 | Foil | 1 | null | null | null | null",
      "1 | Standard | 2 | null | null | null | null",
      "9 | Foil | 3 | null | null | null | null"
    ]
  ],
  [
    "that denies a card the only finish it has, and says nothing of it",
    "Name,Set,Number,Foil\nGlimmer,FEN,81,no\nGlimmer,FEN,81,\n",
    ["9 | Foil | 1 | null | null | null | null", "9 | null | 1 | null | null | null | null"]
  ],
  [
    "whose card id is set and number, and whose cost is no money",
    "Card ID,Name,Set,Owned?,Cost\nFEN-007,Wicker Hound,Fen of Reeds,2,{1}{G}\n",
    ["1 | Standard | 2 | null | null | null | null"]
  ],
  [
    "with pipes, quotes, mixed line ends and blank columns at the end",
    '"Name "|Set Code|Qty|\r\n"Wicker | Hound"|FEN|1||\n\n Wicker Hound |FEN|4|\r',
    ["1 | Standard | 1 | null | null | null | null", "1 | Standard | 4 | null | null | null | null"]
  ],
  [
    "with texts as formulas",
    'Name;Set;Number;Qty\nWicker Hound;FEN;="007";="2"\n"=""Wicker Hound""";FEN;7;1\n',
    ["1 | Standard | 1 | null | null | null | null", "1 | Standard | 2 | null | null | null | null"]
  ],
  [
    "with Cardmarket's numbers of languages and conditions, without its ids",
    "Name;Exp;idLanguage;Condition;Amount\nWicker Hound;FEN;1;2;1\nWicker Hound;FEN;3;4;2\n",
    ["1 | Standard | 1 | NM | en | null | null", "1 | Standard | 2 | MP | de | null | null"]
  ],
  [
    "in Dutch",
    "Naam,Set,Kaartnummer,Aantal,Conditie,Foil\nWicker Hound,FEN,7,2,Licht bespeeld,ja\n",
    ["1 | Foil | 2 | LP | null | null | null"]
  ],
  [
    "as a list with a code of large and small letters, a number with its sign and a finish in square brackets",
    "2 Wicker Hound (FeN) 7 *F*\n3 Wicker Hound (FEN) #7 [Foil]\n4 Wicker Hound <7> [FEN] (F)\n5 Wicker Hound (FEN:7) foil\n",
    [2, 3, 4, 5].map((cards) => `1 | Foil | ${cards} | null | null | null | null`)
  ],
  [
    "below a title, a date and a blank line",
    '"My binder, 2026"\nAs of,2026-05-01\n\nName,Set,Qty\nWicker Hound,FEN,3\n',
    ["1 | Standard | 3 | null | null | null | null"]
  ],
  [
    "as a list",
    "// mine\nDeck\n2 Wicker Hound (FEN) 7 *F*\n5 Wicker Hound [FEN] 7 (foil)\nSB: 1x Glimmer [FEN]\n\nSideboard (1)\nKappa x3\n",
    [
      "1 | Foil | 5 | null | null | null | null",
      "1 | Foil | 2 | null | null | null | null",
      "10 | Standard | 3 | null | null | null | null",
      "9 | Foil | 1 | null | null | null | null"
    ]
  ]
]

suite(Shelf.layer, "a table of no known tool", (it) => {
  for (const [what, text, rows] of tried(tables, (_, index) => index % 4 === 0))
    it(`${what} is read by its words`, function* () {
      const made = yield* imported("words", text)
      assert.deepStrictEqual((yield* valuesOf("words")).toSorted(), rows.toSorted())
      assert.deepInclude(made, { unread: [] })
    })

  it("is refused for a game that the lake does not have", function* () {
    const failed = yield* Effect.flip(imported("mistyped", "Name,Qty\nWicker Hound,1\n", { game: "hollowmer" }))
    assert.match(failed.message, /^The lake has no game hollowmer\. It has: hollowmere/)
  })

  it("names the columns and the lines above its header that it does not read", function* () {
    const made = yield* imported("unused", "sep=,\nMy binder,,,\nName,Qty,Shelf,Market\nWicker Hound,1,B,2.50\n")
    assert.deepStrictEqual(
      [made.tool, made.unusedColumns, made.titleLines],
      ["a table", ["Shelf", "Market"], ["My binder"]]
    )
    assert.match(importedText(made), /^Lines above the header that were not read: My binder$/m)
  })

  it("may come from standard input", function* () {
    const { root } = yield* Home
    const args = [main, "collection", "import", "-", "--name", "piped", "--home", root]
    const { status, stderr } = spawnSync(node, args, { input: "2x Wicker Hound (FEN) 7\n", encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
    assert.deepStrictEqual(yield* cardsOf("piped"), ["1 | Standard | 2"])
  })
})

suite(Shelf.layer, "a value that is not understood", (it) => {
  it("is counted and named, and is neither near mint nor English nor another figure", function* () {
    const header = "product_id,quantity,condition,language,paid,currency,signed"
    const rows = [
      "1,1,Creased,Elvish,3 for 10,EUR,",
      "1,1,VG,?,,,",
      "1,two,NM,en,4,Doubloons,perhaps",
      "1,1,NM,en,€4,USD,"
    ]
    const { unread } = yield* imported("unread", [header, ...rows].join("\n"))
    assert.deepStrictEqual(unread, [
      { what: "condition", rows: 2, values: ["Creased", "VG"] },
      { what: "language", rows: 2, values: ["Elvish", "?"] },
      { what: "paid", rows: 1, values: ["3 for 10"] },
      { what: "quantity", rows: 1, values: ["two"] },
      { what: "signed", rows: 1, values: ["perhaps"] },
      { what: "currency", rows: 2, values: ["Doubloons", "€4 USD"] }
    ])
    assert.deepStrictEqual(
      yield* ownRows(
        "select condition, language, cards, paid, paid_currency, is_signed from collection_cards where collection = 'unread' order by row"
      ),
      [
        "null | null | 1 | null | null | false",
        "null | null | 1 | null | null | false",
        "NM | en | null | 4.0000 | null | true",
        "NM | en | 1 | 4.0000 | null | false"
      ]
    )
  })

  it("of one mark before three digits is read if the column proves the mark", function* () {
    const { unread } = yield* imported("proved", 'product_id,paid\n1,"1,234"\n1,2.50\n')
    assert.deepStrictEqual(
      [unread, (yield* valuesOf("proved"))[0]],
      [[], "1 | Standard | 1 | null | null | 1234.0000 | null"]
    )
    const open = yield* imported("open", 'product_id,paid\n1,"1,234"\n1,2\n')
    assert.deepStrictEqual(open.unread, [{ what: "paid", rows: 1, values: ["1,234"] }])
  })

  it("in one wrong byte is its cell alone; many are of Windows", function* () {
    const rows = Array.from({ length: 60 }, (_, row) => `1,1,${row === 40 ? "Caf\xe9" : "Box"}`)
    const { unread } = yield* imported("bytes", Buffer.from(`product_id,quantity,list\n${rows.join("\n")}\n`, "latin1"))
    assert.deepStrictEqual(unread, [{ what: "bytes", rows: 1, values: ["line 42, column list"] }])
    const windows = Buffer.from("product_id,quantity,list\n1,1,Caf\xe9 \x80\n", "latin1")
    assert.deepStrictEqual((yield* imported("windows", windows)).unread, [])
    assert.deepStrictEqual(yield* ownRows("select list from collection_cards where collection = 'windows'"), ["Café €"])
  })

  it("in a row that cannot be told apart is named with line and column", function* () {
    const text = 'sep=;\r\nproduct_id;name\r\n1;"a\r\nb"\r2;"c"d\n'
    assert.match(
      yield* faultOf(imported("apart", text)),
      /the quoted cell at line 5, column 2 is followed by more text/
    )
  })
})
