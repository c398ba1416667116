/** A number from 0 to 2^32-1 that depends on nothing but its arguments. */
export const mixed = (number: number, salt: number): number => {
  let mix = (number ^ Math.imul(salt, 0x9e3779b1)) >>> 0
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/** What follows the whole part: nothing for 0, `.5` for 50, `.05` for 5. Ten times faster than printing a double. */
const fractions = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1))

const amount = (cents: number): string =>
  cents < 0 ? `-${amount(-cents)}` : `${Math.trunc(cents / 100)}${fractions[cents % 100]}`

/** A bucket of one condition, with one listing in a language. Beyond the spec: section 7. */
const condition = (low: number, count: number, quantity: number) =>
  `,"byCondition":{"NM":{"low":${amount(low)},"listingCount":${count},"availableQuantity":${quantity},"byLanguage":{"en":{"low":${amount(low)},"listingCount":1,"availableQuantity":1}}}}`

const source = (currency: "EUR" | "USD", seed: number, detailed: boolean) => {
  const market = (seed % 4900) + 100
  const low = market - (seed % 90)
  const change = (salt: number) => amount((mixed(seed, salt) % 4001) - 2000)
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
  // Dearer than in Europe, at 1.10 USD a euro: the floor of all regions is Europe's.
  const usd = Math.ceil(low * 1.1) + 20
  const eu = (seed % 7) + 2
  const na = (seed % 5) + 2
  return `{"low":{"amount":${amount(low)},"currency":"EUR"},"listingCount":${eu + na},"availableQuantity":${(eu + na) * 2},"regions":{"eu":${region({ currency: "EUR", low, count: eu, detailed })},"na":${region({ currency: "USD", low: usd, count: na, detailed })}}}`
}

/**
 * Price blocks of one finish as JSON text: some lack a source or live listings,
 * one in fifty has conditions and languages. No version changes what is listed.
 */
export const syntheticPrices = (number: number, finish: number, version: number): string => {
  const seed = mixed(number * 4 + finish, version + 11)
  const detailed = number % 50 === 0
  const blocks: Array<string> = []
  if (number % 10 !== 4) blocks.push(`"sourceEur":${source("EUR", seed, detailed)}`)
  if (number % 10 !== 5) blocks.push(`"sourceUsd":${source("USD", mixed(seed, 5), detailed)}`)
  if (number % 10 < 7) blocks.push(`"marketplace":${marketplace(mixed(number * 4 + finish, 7), detailed)}`)
  return `{${blocks.join(",")}}`
}
