import type { ProductFacts } from "../../src/market/catalogue/StoredCatalogue.ts"

/** Returns a number from 0 to 2^32-1 that depends only on its arguments. */
const hashNumber = (number: number, salt: number): number => {
  let mix = (number ^ Math.imul(salt, 0x9e3779b1)) >>> 0
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/** Decimal parts by cents: `""` for 0, `.5` for 50, `.05` for 5. Ten times faster than formatting a double. */
const fractions = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1))

const amount = (cents: number): string =>
  cents < 0 ? `-${amount(-cents)}` : `${Math.trunc(cents / 100)}${fractions[cents % 100]}`

/** Returns the bucket of one condition, with one listing in a language. Beyond the spec: section 7. */
const condition = (low: number, count: number, quantity: number) =>
  `,"byCondition":{"NM":{"low":${amount(low)},"listingCount":${count},"availableQuantity":${quantity},"byLanguage":{"en":{"low":${amount(low)},"listingCount":1,"availableQuantity":1}}}}`

const source = (currency: "EUR" | "USD", seed: number, detailed: boolean) => {
  const market = (seed % 4900) + 100
  const low = market - (seed % 90)
  const change = (salt: number) => amount((hashNumber(seed, salt) % 4001) - 2000)
  return `{"currency":"${currency}","low":${amount(low)},"mid":${amount(market + 35)},"high":${amount(market * 3)},"marketValue":${amount(market)},"change24h":${change(1)},"change7d":${change(2)},"change30d":${change(3)}${detailed ? condition(low, 2, 2) : ""}}`
}

interface RegionPrices {
  readonly currency: "EUR" | "USD"
  readonly low: number
  readonly count: number
  readonly detailed: boolean
}

const region = ({ count, currency, detailed, low }: RegionPrices) =>
  `{"currency":"${currency}","low":${amount(low)},"listingCount":${count},"availableQuantity":${count * 2}${detailed ? condition(low, count, count * 2) : ',"byCondition":{}'}}`

const marketplace = (seed: number, detailed: boolean) => {
  const low = (seed % 5000) + 90
  // Higher than in Europe at 1.10 USD per euro, so that Europe has the lowest price.
  const usd = Math.ceil(low * 1.1) + 20
  const eu = (seed % 7) + 2
  const na = (seed % 5) + 2
  return `{"low":{"amount":${amount(low)},"currency":"EUR"},"listingCount":${eu + na},"availableQuantity":${(eu + na) * 2},"regions":{"eu":${region({ currency: "EUR", low, count: eu, detailed })},"na":${region({ currency: "USD", low: usd, count: na, detailed })}}}`
}

/**
 * Returns the price blocks of one finish as JSON text. Some lack a source or live listings; one in fifty has conditions
 * and languages. The version does not affect listings.
 */
const syntheticPrices = (number: number, finish: number, version: number): string => {
  const seed = hashNumber(number * 4 + finish, version + 11)
  const detailed = number % 50 === 0
  const blocks: Array<string> = []
  if (number % 10 !== 4) blocks.push(`"sourceEur":${source("EUR", seed, detailed)}`)
  if (number % 10 !== 5) blocks.push(`"sourceUsd":${source("USD", hashNumber(seed, 5), detailed)}`)
  if (number % 10 < 7) blocks.push(`"marketplace":${marketplace(hashNumber(number * 4 + finish, 7), detailed)}`)
  return `{${blocks.join(",")}}`
}

export const productsPerExpansion = 250

/** The inputs of a synthetic product. Equal seeds give equal texts. */
interface SyntheticSeed {
  readonly gameId: string
  readonly gameName: string
  readonly number: number
  readonly catalogueVersion: number
  readonly priceVersion: number
}

/** Sixteen digits, to detect readers that are inexact above 2^53. */
const firstId = 9_007_000_000_000_000

export const syntheticId = (number: number): number => firstId + number
export const numberOfSyntheticId = (id: number): number => id - firstId
export const syntheticExpansionId = (expansion: number): number => expansion + 1

const letters = "abcdefghijklmnopqrstuvwxyz"
const nouns = [
  "Warden",
  "Lantern",
  "Drake",
  "Oath",
  "Harbour",
  "Mirror",
  "Tinker",
  "Thicket",
  "Comet",
  "Ledger",
  "Sphinx"
]
const rarities = ["common", "uncommon", "rare", "mythic"]
const languages = ["en", "fr", "de", "it", "es", "ja"]
/** JSON texts of the first language, the first two, and so on. */
const languageLists = languages.map((_, last) => JSON.stringify(languages.slice(0, last + 1)))
const rules = "When this comes into play, look at the top three cards of your deck."

/** Returns five letters that sort like the number, so that name order equals number order. */
const prefix = (number: number) => {
  let text = ""
  for (let rest = number, at = 0; at < 5; at++, rest = Math.floor(rest / 26)) text = (letters[rest % 26] ?? "a") + text
  return text
}

/** Four hex digits by value. Formatting in base 16 would be the slowest part of a record. */
const fourDigits = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, "0"))
const hex = (number: number, salt: number) => {
  const value = hashNumber(number, salt)
  return `${fourDigits[value >>> 16]}${fourDigits[value & 65_535]}`
}
const uuid = (number: number, salt: number) => `${hex(number, salt)}-0000-4000-8000-5ca1${hex(number, salt + 1)}`

/** Returns a synthetic product's fields for filters and orders, without its text. */
export const syntheticFacts = ({ number, gameId }: SyntheticSeed): ProductFacts => {
  const noun = nouns[number % nouns.length] ?? ""
  const start = prefix(number)
  const isSealed = number % 20 === 19
  const expansion = Math.floor(number / productsPerExpansion)
  return {
    id: String(syntheticId(number)),
    name: `${(start[0] ?? "").toUpperCase()}${start.slice(1)} ${noun}${isSealed ? " Box" : ""}`,
    nameSlug: `${start}-${noun.toLowerCase()}${isSealed ? "-box" : ""}-${gameId}`,
    printNumber: isSealed ? "" : String((number % productsPerExpansion) + 1).padStart(3, "0"),
    productType: isSealed ? "sealed" : "card",
    productCategory: isSealed ? "booster_box" : "",
    expansionId: String(syntheticExpansionId(expansion)),
    expansionCode: `X${expansion + 1}`,
    releaseDate: `20${String(10 + (expansion % 16)).padStart(2, "0")}-05-01T00:00:00.000Z`,
    sourceEur: [100_000 + number],
    sourceUsd: [5_000_000 + number * 2]
  }
}

/** Returns a product as one line of JSON text, about 1.28 KB on average. */
export const syntheticProduct = (seed: SyntheticSeed): string => {
  const { gameId, gameName, number, catalogueVersion, priceVersion } = seed
  const facts = syntheticFacts(seed)
  const game = `"gameId":"${gameId}","game":{"id":"${gameId}","name":"${gameName}"}`
  const languages = languageLists[hashNumber(number, 3) % languageLists.length]
  const head = `{"id":${facts.id},${game},"name":"${facts.name}","nameSlug":"${facts.nameSlug}","languages":${languages}`
  const expansion = `"expansionId":${facts.expansionId},"expansion":{"id":${facts.expansionId},"code":"${facts.expansionCode}","name":"Expansion ${facts.expansionCode}"}`
  const image = `"imageUrl":"https://images.example/0/${number}-v${catalogueVersion + 1}.png"`
  if (facts.productType === "sealed") {
    const ids = `"externalIds":{"sourceEur":[{"finish":"Standard","id":${facts.sourceEur[0]}}]}`
    return `${head},"productType":"sealed","productCategory":"${facts.productCategory}","prices":${syntheticPrices(number, 0, priceVersion)},${expansion},${image},${ids},"releaseDate":"${facts.releaseDate}"}`
  }
  const hasFoil = number % 6 === 1
  const finishes = hasFoil ? '["Standard","Foil"]' : '["Standard"]'
  const foil = hasFoil ? `,"Foil":${syntheticPrices(number, 1, priceVersion)}` : ""
  const prices = `{"Standard":${syntheticPrices(number, 0, priceVersion)}${foil}}`
  const sourceIds = (name: "sourceEur" | "sourceUsd") => {
    const id = facts[name][0] ?? 0
    return `"${name}":[{"finish":"Standard","id":${id}}${hasFoil ? `,{"finish":"Foil","id":${name === "sourceUsd" ? id + 1 : id}}` : ""}]`
  }
  const cardIds = `,"mtgId":"${uuid(number, 21)}","mtgOracleId":"${uuid(number >> 1, 25)}"`
  const ids = `"externalIds":{${sourceIds("sourceEur")},${sourceIds("sourceUsd")}${cardIds}}`
  const attributes = `"attributes":{"cost":${number % 9},"colours":["${nouns[number % 5]}"],"rules":"${rules}"}`
  const rarity = rarities[(number + catalogueVersion) % rarities.length]
  return `${head},"productType":"card","finishes":${finishes},"pricesByFinish":${prices},${attributes},${expansion},${image},${ids},"releaseDate":"${facts.releaseDate}","printNumber":"${facts.printNumber}","rarity":"${rarity}"}`
}
