import { fieldsOf, type Presence } from "./fieldTable.ts"

/** The rows with their paths below another path. */
const under = (path: string, rows: string) => rows.replaceAll(/^(?=\S)/gm, `${path}.`)

const depth = (presence: Presence) => `
low                ${presence}  price  3.5
listingCount       ${presence}  count  2
availableQuantity  ${presence}  count  4`

const byCondition = (presence: Presence) => `
byCondition     absent  map
byCondition.NM  member  struct
${under("byCondition.NM", depth(presence))}
byCondition.NM.byLanguage     absent  map
byCondition.NM.byLanguage.en  member  struct
${under("byCondition.NM.byLanguage.en", depth(presence))}`

const source = (currency: string) => `
currency     required  currency  "${currency}"
low          absent    price     12.5
mid          absent    price     13.25
high         absent    price     99
marketValue  absent    price     14.99
change24h    absent    percent   -1.5
change7d     absent    percent   2.25
change30d    absent    percent   0
${byCondition("absent")}`

const blocks = `
sourceEur  absent  struct
${under("sourceEur", source("EUR"))}
sourceUsd  absent  struct
${under("sourceUsd", source("USD"))}
marketplace                      absent    struct
marketplace.low                  required  struct
marketplace.low.amount           required  price     11.9
marketplace.low.currency         required  currency  "EUR"
marketplace.listingCount         required  count     5
marketplace.availableQuantity    required  count     9
marketplace.regions              absent    map
marketplace.regions.eu           member    struct
marketplace.regions.eu.currency  required  currency  "EUR"
${under("marketplace.regions.eu", depth("required"))}
${under("marketplace.regions.eu", byCondition("required"))}`

const common = `
gameId                          required  game      "fable"
game                            required  struct
game.id                         required  nonEmpty  "fable"
game.name                       required  text      "Fable"
name                            required  text      "Wicker Hound"
nameSlug                        required  text      "wicker-hound"
languages                       required  list
languages.0                     member    text      "en"
expansionId                     absent    id        77
expansion                       absent    struct
expansion.id                    required  id        77
expansion.code                  nullable  text      "MRS"
expansion.name                  required  text      "Marsh"
expansion.symbolUrl             absent    text      "https://img.example/marsh.svg"
externalIds                     absent    struct
externalIds.sourceEur           absent    list
externalIds.sourceEur.0         member    struct
externalIds.sourceEur.0.finish  required  nonEmpty  "Foil"
externalIds.sourceEur.0.id      required  count     4711
externalIds.sourceUsd           absent    list
externalIds.sourceUsd.0         member    struct
externalIds.sourceUsd.0.finish  required  nonEmpty  "Foil"
externalIds.sourceUsd.0.id      required  count     815
externalIds.mtgId               absent    text      "m-1"
externalIds.mtgOracleId         absent    text      "o-1"
externalIds.konamiStyleId       absent    text      "k-1"
externalIds.lorcanaId           absent    text      "l-1"
externalIds.fabId               absent    text      "f-1"
externalIds.riftboundId         absent    text      "r-1"
imageUrl                        absent    text      "https://img.example/hound.jpg"
releaseDate                     absent    text      "2024-03-01T00:00:00.000Z"
availability                    absent    struct
availability.inStock            required  boolean   true
availability.listingCount       required  count     1
availability.cheapest           nullable  struct
availability.cheapest.listingId          required  text      "opaque-1"
availability.cheapest.price              required  struct
availability.cheapest.price.amount       required  price     9.99
availability.cheapest.price.currency     required  currency  "CHF"
availability.cheapest.priceEur           required  struct
availability.cheapest.priceEur.amount    required  price     10.25
availability.cheapest.priceEur.currency  required  currency  "EUR"
availability.cheapest.quantity           required  count     3
availability.cheapest.finish             required  text      "Foil"
availability.cheapest.condition          nullable  text      "NM"
availability.cheapest.language           nullable  text      "en"
availability.cheapest.seller             required  struct
availability.cheapest.seller.id          required  text      "s-1"
availability.cheapest.seller.username    required  text      "hedge"
availability.cheapest.seller.country     nullable  text      "DE"
availability.cheapest.seller.type        nullable  text      "pro"`

const attributes = (presence: Presence) => `
attributes          ${presence}  open
attributes.mana     member       any  3
attributes.colours  member       any  ["red","green"]
attributes.flavour  member       any  "Howls at reeds."`

const card = `
id                   required  id        1
${common}
productType          required  word      "card"
finishes             required  list
finishes.0           member    nonEmpty  "Foil"
pricesByFinish       required  map
pricesByFinish.Foil  member    struct
${under("pricesByFinish.Foil", blocks)}
${attributes("required")}
printNumber          absent    text      "12a"
variant              absent    text      "Borderless"
rarity               absent    text      "rare"
imageBackUrl         absent    text      "https://img.example/hound-back.jpg"`

const sealed = `
id               required  id      1
${common}
productType      required  word    "sealed"
productCategory  required  text    "booster_box"
prices           required  struct
${under("prices", blocks)}`

const expansion = `
id                  required  id     1
gameId              absent    game   "fable"
slug                absent    text   "marsh"
name                required  text   "Marsh"
code                nullable  text   "MRS"
languages           absent    list
languages.0         member    text   "en"
releaseDate         absent    text   "2024-03-01T00:00:00.000Z"
cardCount           absent    count  250
sealedProductCount  absent    count  4
logoUrl             absent    text   "https://img.example/marsh.png"
symbolUrl           absent    text   "https://img.example/marsh.svg"
${attributes("absent")}`

/**
 * Every key of the marketplace's records and what the contract says of it. Written by hand:
 * taken from the Schema, it could not show its mistakes.
 */
export const recordTables = { card: fieldsOf(card), sealed: fieldsOf(sealed), expansion: fieldsOf(expansion) }

export type RecordKind = keyof typeof recordTables
