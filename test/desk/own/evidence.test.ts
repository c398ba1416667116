import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { builtOnce } from "../../builtOnce.ts"
import { copiedHome } from "../../filledOnce.ts"
import { card, expansion, type Json } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/handMadeNights.ts"
import { imported, ownRows, Shelf } from "./Shelf.ts"

const sets = [
  { id: 1, code: "FEN", name: "Fen of Reeds" },
  { id: 2, code: "XFEN", name: "Fen of Reeds: Extras" },
  { id: 3, code: "CFEN", name: "Commander: Fen of Reeds" },
  { id: 4, code: "OLD", name: "Old Tide" },
  { id: 5, code: "XOLD", name: "Old Tide: Extras" },
  { id: 6, code: "TWO", name: "Second Tide" },
  { id: 7, code: "TWO", name: "Second Tide: Black Label" }
]
const scryfall = (id: number) => `5a3b0000-0000-4000-8000-${String(id).padStart(12, "0")}`
const one = (id: number, set: number, name: string, printNumber: string | null, more: Json = {}): Json =>
  card(id, {
    name,
    nameSlug: `card-${id}`,
    expansionId: set,
    expansion: sets[set - 1],
    externalIds: { mtgId: scryfall(id) },
    finishes: ["Standard", "Foil"],
    ...(printNumber === null ? {} : { printNumber }),
    ...more
  })
const shared = { sourceUsd: [{ id: 77, finish: "Standard" }] }

/** Sets with extras and commander decks, old sets without numbers, two sets of one code, editions of one number. */
const products: ReadonlyArray<Json> = [
  one(1, 1, "Lantern Tutor", "150"),
  one(2, 2, "Lantern Tutor", null, { externalIds: {} }),
  one(3, 2, "Lantern Tutor", null, { externalIds: {}, finishes: ["Foil"] }),
  one(4, 1, "Ash Warden", "7"),
  one(5, 3, "Grey Duelist", "12"),
  one(6, 4, "Storm Spark", null, { externalIds: {} }),
  one(7, 5, "Storm Spark", null, { externalIds: {} }),
  one(8, 1, "Reed Agent // Mind Stinger", "33"),
  one(9, 1, "Zombie Token (B 2/2)", "T1"),
  one(10, 6, "Twin Anchor", "1"),
  one(11, 7, "Twin Anchor", "1"),
  one(12, 1, "Iron Vow", "60", { variant: "first", finishes: ["Rainbow Foil"] }),
  one(13, 1, "Iron Vow", "60", { variant: "unlimited", finishes: ["Standard", "Rainbow Foil"] }),
  one(14, 1, "Yasuo", "299", { finishes: ["Foil"] }),
  one(15, 1, "Yasuo", "299star", { finishes: ["Foil"] }),
  one(16, 4, "Mist Otter", "5", { externalIds: shared, finishes: ["Standard"] }),
  one(17, 4, "Mist Otter", "6", { externalIds: shared, finishes: ["Standard"] }),
  one(18, 5, "Mist Otter", null, { externalIds: {}, finishes: ["Foil"] }),
  one(19, 4, "Salt Heron", "88")
]
const filled = Effect.asVoid(
  publishNights([{ expansions: sets.map(({ id, ...more }) => expansion(id, more)), products }])
)
const lake = Shelf.over(copiedHome("evidence", filled).pipe(builtOnce))

const header =
  "Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET"

/** What a row says of its card. */
type Says = Partial<Record<"name" | "code" | "set" | "number" | "printing" | "language", string | undefined>>
const row = ({ code = "", language = "", name = "", number = "", printing = "", set = "" }: Says) =>
  `Box,1,0,"${name}",${code},${set},${number},NearMint,${printing},${language},,,,,`
const withId = (id: string, { code = "", name = "", number = "" }: Says) =>
  `${number},,,en,"${name}",,1,,${id},${code},`
const idHeader =
  "collector_number,estimated_price,extras,language,name,oracle_id,quantity,rarity,scryfall_id,set_code,set_name"

const verdictsOf = Effect.fnUntraced(function* (name: string, head: string, rows: ReadonlyArray<string>) {
  yield* imported(name, `${head}\n${rows.join("\n")}\n`)
  return yield* ownRows(
    `select coalesce(product_id::varchar, '-') || ' ' || coalesce(finish, '-') || ' ' || verdict || coalesce(' ' || list_transform(candidate_products, lambda c: c.product_id)::varchar, '')
     from collection_cards where collection = '${name}' order by row`
  )
})

/** The rules, each with a row that only it decides: rule | name | code | set | number | printing | language | what the row is then. */
const rules = `
set and number decide | Ash Warden | FEN |  | 007/200 |  |  | 4 Standard matched by set and number
a set's name does, too | Ash Warden |  | Fen of Reeds | 7 |  |  | 4 Standard matched by set and number
of a code and a name of two sets, the other is named | Ash Warden | FEN | Old Tide | 7 |  |  | 4 Standard matched by set and number, but its set is Fen of Reeds here
words of a set's name have any order | Grey Duelist |  | Fen of Reeds Commander |  |  |  | 5 Standard matched by name
a number of another print leaves the extras | Lantern Tutor | fen |  | 509 |  |  | - - ambiguous: 2 products [2, 3, 1]
that of another card proposes its own prints first | Lantern Tutor | fen |  | 7 |  |  | - - ambiguous: 2 products [2, 3, 1, 4]
and where none fits, those of its name before that of its number | Iron Vow | FEN |  | 7 |  |  | - - unknown: FEN 7 is Ash Warden here [12, 13, 4]
a number of nothing beside it is unknown | Ash Warden | XFEN |  | 150 |  |  | 4 Standard matched by name in a set beside it, but its set is Fen of Reeds here, and its number is 7 here
an only card of its name is it, under any number | Ash Warden | FEN |  | 8 |  |  | 4 Standard matched by name, but its number is 7 here
where the lake has no numbers, a number may be of the extras | Storm Spark | OLD |  | 3 |  |  | - - ambiguous: 2 products [6, 7]
without a number it is the set's own | Storm Spark | OLD |  |  |  |  | 6 Standard matched by name
a set beside the named one has it | Grey Duelist | FEN |  | 12 |  |  | 5 Standard matched by name in a set beside it, but its set is Commander: Fen of Reeds here
a set that is not here is never another | Salt Heron | rev |  | 88 |  |  | - - unknown: this lake has no set REV [19]
a number says nothing without a set | Lantern Tutor |  |  | 150 |  |  | - - ambiguous: 3 products [1, 2, 3]
but one that carries a set's code | Lantern Tutor |  |  | FEN-150 |  |  | 1 Standard matched by set and number
or has it before its figures |  |  |  | FEN007 |  |  | 4 Standard matched by set and number
or that of a set that is not here | Salt Heron |  |  | LDQ2-EN043 |  |  | - - unknown: this lake has no set LDQ2 [19]
a front face is the card | Reed Agent | FEN |  |  |  |  | 8 Standard matched by name
a treatment in brackets is none of the name | Ash Warden (Showcase) | FEN |  | 7 |  |  | 4 Standard matched by set and number
a token needs neither colour nor strength | Zombie Token | FEN |  |  |  |  | 9 Standard matched by name
a code of two sets is that with the name | Twin Anchor | TWO | Second Tide | 1 |  |  | 10 Standard matched by set and number
else it is both | Twin Anchor | TWO |  | 1 |  |  | - - ambiguous: 2 products [10, 11]
an edition decides between prints of one number | Iron Vow | FEN |  | 60 | 1st Edition Rainbow Foil |  | 12 Rainbow Foil matched by set and number
under its short name, too | Iron Vow | FEN |  | 60 | First Rainbow Foil |  | 12 Rainbow Foil matched by set and number
and is no part of the finish | Iron Vow | FEN |  | 60 | Unlimited Edition |  | 13 Standard matched by set and number
a spreadsheet's zeros are no part of a number | Lantern Tutor | fen |  | 150.0 |  |  | 1 Standard matched by set and number
a finish does only where one of them has it | Iron Vow | FEN |  | 60 | Normal |  | 13 Standard matched by set and number
a star is part of a number | Yasuo | FEN |  | 299* | Foil |  | 15 Foil matched by set and number
a number with another name is another card | Grey Heron | OLD |  | 88 |  |  | - - unknown: OLD 88 is Salt Heron here [19]
a name that the language explains says nothing | Salzreiher | OLD |  | 88 |  | German | 19 Standard matched by set and number
a name of more words is named | Salt Heron of Old | OLD |  | 88 |  |  | 19 Standard matched by set and number, but it is called Salt Heron here
a finish that a product lacks is unknown | Yasuo | FEN |  | 299 | Normal |  | 14 - matched by set and number
unless a print beside it has the finish | Mist Otter | OLD |  | 5 | Foil |  | - - ambiguous: 2 products [16, 18, 17]
`

/** Rows with an id: rule | the product whose id it is | name | code | number | what the row is then. */
const rulesOfIds = `
an id outranks set and number, and the difference is named | 4 | Ash Warden | old | 9 | 4 Standard matched by mtgId, but its set is Fen of Reeds here
and a number alone is named | 4 | Ash Warden | fen | 9 | 4 Standard matched by mtgId, but its number is 7 here
and a set that is not here | 4 | Ash Warden | zzz |  | 4 Standard matched by mtgId, but this lake has no set ZZZ
another name makes it ambiguous | 4 | Salt Heron | old | 88 | - - ambiguous: its mtgId is Ash Warden here [4, 19]
an id of another print leaves the extras | 999 | Lantern Tutor | fen |  | - - ambiguous: 3 products [1, 2, 3]
an id that nothing has is no reason against set and number | 999 | Ash Warden | fen | 7 | 4 Standard matched by set and number
a name alone is not enough for a tool whose game is not here |  | Salt Heron |  |  | - - unknown: this lake has no game called Magic: The Gathering, and the row has no set [19]
`

const tableOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(" | ").map((cell) => cell.trim()))

suite(lake, "a row", (it) => {
  const same = Effect.fnUntraced(function* (
    name: string,
    head: string,
    table: ReadonlyArray<ReadonlyArray<string>>,
    rows: ReadonlyArray<string>
  ) {
    const found = yield* verdictsOf(name, head, rows)
    assert.deepStrictEqual(
      table.map(([rule], place) => `${rule}: ${found[place]}`),
      table.map((cells) => `${cells[0]}: ${cells.at(-1)}`)
    )
  })

  it("is what all its facts say, by the rules", function* () {
    const table = tableOf(rules)
    const rows = table.map(([, name, code, set, number, printing, language]) =>
      row({ name, code, set, number, printing, language })
    )
    yield* same("rules", header, table, rows)
  })

  it("with an id is what the id says, unless its name is another", function* () {
    const table = tableOf(rulesOfIds)
    const rows = table.map(([, id = "", name, code, number]) =>
      withId(id === "" ? "" : scryfall(Number(id)), { name, code, number })
    )
    yield* same("ids", idHeader, table, rows)
  })

  it("with an id of several products is that whose number it has", function* () {
    const head = "Name,Acquired Price,Language,Set Code,TCGPlayer Product ID,Number,Foil,Quantity"
    const rows = ["Mist Otter,,English,OLD,77,6,,1", "Mist Otter,,English,,77,,,1"]
    const found = yield* verdictsOf("several", head, rows)
    assert.deepStrictEqual(found, ["17 Standard matched by sourceUsd", "- - ambiguous: 2 products [16, 17]"])
  })

  it.full("with one fact changed is never the old card without a verdict that names the change", function* () {
    const right = [1, 4, 5, 8, 10, 11, 14, 15, 16, 17, 19].map((id) => {
      const { expansionId, finishes, name, printNumber } = products[id - 1] as Record<string, string>
      const set = sets[Number(expansionId) - 1]
      const printing = (finishes as unknown as ReadonlyArray<string>).includes("Standard") ? "Normal" : "Foil"
      return { id: String(id), says: { name, code: set?.code, set: set?.name, number: printNumber, printing } as Says }
    })
    const before = yield* verdictsOf(
      "unchanged",
      header,
      right.map(({ says }) => row(says))
    )
    for (const [place, { id }] of right.entries()) assert.match(before[place] ?? "", new RegExp(`^${id} .* matched`))
    const others: ReadonlyArray<Says> = [
      ...sets.map(({ code, name }) => ({ code, set: name })),
      { code: "ZZZ", set: "Elsewhere" },
      ...["1", "5", "7", "150", "999", "7a", "299star"].map((number) => ({ number })),
      ...["Ash Warden", "Salt Heron", "Nobody", "Lantern"].map((name) => ({ name }))
    ]
    const changed = right.flatMap(({ id, says }) =>
      others
        .map((other) => ({ id, says, other, now: { ...says, ...other } }))
        .filter(({ now }) => JSON.stringify(now) !== JSON.stringify(says))
    )
    const after = yield* verdictsOf(
      "changed",
      header,
      changed.map(({ now }) => row(now))
    )
    const silent = changed.filter(({ id }, place) => {
      const [product, , ...verdict] = (after[place] ?? "").split(" ")
      return product === id && !verdict.join(" ").includes(", but ")
    })
    assert.deepStrictEqual(silent, [])
    const repainted = yield* verdictsOf(
      "repainted",
      header,
      right.map(({ says }) => row({ ...says, printing: "Foil" }))
    )
    for (const [place, { id }] of right.entries()) {
      const [product] = (repainted[place] ?? "").split(" ")
      assert.include([id, "-"], product, repainted[place])
    }
  })
})
