import { sampleDeployments, type SampleGame } from "./sampleGames.ts"
import { type Chance, makeChance, type SoldAs } from "./sampleListings.ts"
import { cardCents, samplePrices, sealedCents } from "./samplePrices.ts"

export type SampleRecord = { [key: string]: unknown }

/** The records of one game at one deployment. */
export interface SampleDeployment {
  readonly products: ReadonlyArray<SampleRecord>
  readonly expansions: ReadonlyArray<SampleRecord>
}

const slugOf = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

const uuid = (group: string, number: number) => `${group}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`

/** Ids in the systems of other sites; every system is used by one game. */
const otherIds = (game: SampleGame, number: number): SampleRecord =>
  game.id === "emberfall"
    ? { mtgId: uuid("5a3b0000", number), mtgOracleId: uuid("0ac1e000", number >> 1) }
    : game.id === "tidewrack"
      ? { fabId: `TW${number}`, ...(number % 3 === 0 ? { konamiStyleId: String(40_000_000 + number) } : {}) }
      : { riftboundId: `cor-${number}`, ...(number % 4 === 0 ? { lorcanaId: `crd_${number}` } : {}) }

/** The running number that a product was made from. */
const numberOf = (game: SampleGame, product: SampleRecord): number =>
  (Number(product["id"]) - game.firstId) / game.idStep

const expansionRecord = (game: SampleGame, place: number): SampleRecord => {
  const [code, name, releaseDate] = game.expansions[place] ?? ["", "", null]
  return {
    id: place + 1 + game.idStep * 100,
    gameId: game.id,
    slug: slugOf(`${name} ${code}`),
    name,
    code,
    languages: ["en", "de"],
    ...(releaseDate === null ? {} : { releaseDate }),
    symbolUrl: `https://images.example/${game.id}/symbols/${place + 1}.svg`
  }
}

const capital = (text: string) =>
  text.replaceAll(/(^|_)(.)/g, (_, gap, letter) => (gap ? " " : "") + letter.toUpperCase())

/** Two words, and a third part where an earlier card has these two. One card in twelve is a reprint of one of the first. */
const cardName = ({ first, second, third }: SampleGame, number: number): string => {
  const count = first.length * second.length
  const isReprint = number >= count && number % 12 === 7
  const place = isReprint ? number % (count - 1) : number
  const words = `${first[place % first.length]} ${second[(place * 7) % second.length]}`
  return place < count ? words : `${words} ${third[(Math.floor(place / count) - 1 + (place % count)) % third.length]}`
}

const editions = `,Draft ,Collector ,First Edition ,Play ,Retail ,Jumbo ,Gift ,Holiday ,Anniversary `.split(",")

/** A title as shops write it, such as Ashen Crown Draft Booster Box, or Emberfall Commander Deck: The Broken Crown. */
const sealedName = (game: SampleGame, number: number, { category, set }: { category: string; set: string }): string => {
  const round = Math.floor(Math.floor(number / 14) / (game.categories.length * (game.expansions.length - 1)))
  if (!/deck|bundle/.test(category)) return `${set} ${editions[round % editions.length]}${capital(category)}`
  const theme = (game.third[round % game.third.length] ?? "").replace(/^\w+ /, "").replaceAll(" ", "_")
  return `${set} ${capital(category)}: ${capital(theme)}${round < game.third.length ? "" : " II"}`
}

/** The number of a card in its set: each is there once. */
const printNumber = ({ expansions, size }: SampleGame, number: number): number => {
  const sets = expansions.length - 1
  return number < size ? Math.floor(number / sets) + 1 : Math.ceil(size / sets) + 1 + number - size
}

/** Product `number` of a game, as it first appears. */
const productRecord = (
  game: SampleGame,
  number: number,
  expansions: ReadonlyArray<SampleRecord>,
  chance: Chance
): SampleRecord => {
  const isSealed = number % 14 === 13
  const expansion = expansions[chance(100) === 0 ? -1 : number % Math.max(1, expansions.length - 1)]
  const odd = number % 41 === 5 ? game.oddNames[(number - 5) / 41] : undefined
  const categories = game.categories.length
  const category = game.categories[Math.floor(number / 14 / (game.expansions.length - 1)) % categories] ?? ""
  const set = String(expansion?.["name"] ?? game.name)
  const name = odd ?? (isSealed ? sealedName(game, number, { category, set }) : cardName(game, number))
  const finishes = chance(3) === 0 ? game.finishes : game.finishes.slice(0, 1)
  // A word that no list knows: it must pass as text.
  const printed = number % 251 === 7 ? ["Moonprint"] : finishes
  const draw = () => (chance(5) * 90 + chance(90) + 0.5) / 450
  const own = makeChance(game.firstId + number)
  let value = 0
  const sourceIds = (first: number) => printed.map((finish, at) => ({ finish, id: first + number * 4 + at }))
  const externalIds = {
    ...(chance(9) < 7 ? { sourceEur: sourceIds(200_000) } : {}),
    ...(chance(9) < 7 ? { sourceUsd: sourceIds(600_000) } : {}),
    ...(isSealed ? {} : otherIds(game, number))
  }
  const languages = chance(30) === 0 ? [] : ["en", "de", "fr", "ja"].slice(0, 1 + chance(4))
  const soldAs: SoldAs = { isCard: !isSealed, languages }
  return {
    id: game.firstId + number * game.idStep,
    gameId: game.id,
    game: { id: game.id, name: game.name },
    name,
    nameSlug: `${slugOf(name) || "nameless"}-${slugOf(String(expansion?.["name"] ?? "no-expansion"))}-${number + 1}`,
    languages,
    productType: isSealed ? "sealed" : "card",
    ...(isSealed
      ? { productCategory: category, prices: samplePrices(sealedCents(category, draw()), soldAs, chance, own) }
      : {
          finishes: printed,
          pricesByFinish: Object.fromEntries(
            // Each further finish costs once and a half to four times as much.
            printed.flatMap((finish, at) => {
              const drawn = draw()
              value = at === 0 ? cardCents(drawn) : value * (1.5 + 2.5 * drawn)
              const blocks = samplePrices(value, soldAs, chance, own)
              return Object.keys(blocks).length === 0 ? [] : [[finish, blocks]]
            })
          ),
          attributes: { cost: number % 8, kind: ["Ally", "Relic", "Spell"][number % 3] }
        }),
    ...(expansion === undefined
      ? {}
      : {
          expansionId: expansion["id"],
          expansion: { id: expansion["id"], code: expansion["code"], name: expansion["name"] }
        }),
    ...(chance(40) === 0 ? {} : { imageUrl: `https://images.example/${game.id}/${number}.png` }),
    ...(chance(25) === 0 || Object.keys(externalIds).length === 0 ? {} : { externalIds }),
    ...(number % 97 === 3 ? { releaseDate: "2031-01-01T00:00:00.000Z" } : {}),
    ...(isSealed
      ? {}
      : {
          printNumber: `${printNumber(game, number)}${number % 60 === 9 ? "a" : ""}`,
          rarity: game.rarities[number % 4]
        }),
    ...(!isSealed && number % 53 === 8 ? { variant: "Showcase" } : {}),
    // Keys that the contract does not know: they must be kept.
    ...(isSealed && number % 5 === 0 ? { ean: `400000${String(number).padStart(7, "0")}` } : {}),
    ...(number % 200 === 50 ? { artist: { name: "M. Öhrström", signed: number % 400 === 50 } } : {})
  }
}

/**
 * Applies the changes that the demo shows: one id is wrong, so that an audit finds something (Molten Pilgrim has that of Orrin's
 * Chorus), and a card of the first page has nothing but live listings.
 */
const onPurpose = (game: SampleGame, product: SampleRecord): SampleRecord => {
  const place = `${game.id} ${numberOf(game, product)}`
  if (place === "emberfall 100") {
    const { Standard } = product["pricesByFinish"] as { readonly [finish: string]: SampleRecord }
    return { ...product, pricesByFinish: { Standard: { marketplace: Standard?.["marketplace"] } } }
  }
  if (place !== "emberfall 65") return product
  const externalIds = { ...(product["externalIds"] as SampleRecord), sourceUsd: [{ finish: "Standard", id: 600_236 }] }
  return { ...product, externalIds }
}

const movePrices = (product: SampleRecord, chance: Chance): SampleRecord => {
  const move = (blocks: SampleRecord): SampleRecord => {
    const source = blocks["sourceEur"]
    if (typeof source !== "object" || source === null) return blocks
    const { marketValue = 1 } = source as { readonly marketValue?: number }
    const moved = Math.round(marketValue * (90 + chance(21))) / 100
    // Not used: without it, every figure after it would be another one.
    chance(9)
    return { ...blocks, sourceEur: { ...source, marketValue: moved } }
  }
  const byFinish = product["pricesByFinish"]
  return typeof byFinish === "object" && byFinish !== null
    ? {
        ...product,
        pricesByFinish: Object.fromEntries(Object.entries(byFinish).map(([f, blocks]) => [f, move(blocks)]))
      }
    : { ...product, prices: move((product["prices"] ?? {}) as SampleRecord) }
}

/** A catalogue edit of one product: a rarity, a new name (and with it a new slug), an image, or nothing. */
const edit = (game: SampleGame, product: SampleRecord, step: number): SampleRecord => {
  const number = numberOf(game, product)
  const isSealed = product["productType"] === "sealed"
  if (number % 101 === 19 + step && !isSealed) return { ...product, rarity: "promo" }
  if (number % 131 === 31 + step || (number % 101 === 19 + step && isSealed))
    return { ...product, imageUrl: `https://images.example/${game.id}/again/${number}.png` }
  if (number % 151 !== 23 + step) return product
  const name = `${String(product["name"])}, Reforged`
  return { ...product, name, nameSlug: `${slugOf(name)}-${number + 1}` }
}

/** One new name for an expansion changes every product that embeds it. */
const renameExpansion = (game: SampleGame, { products, expansions }: SampleDeployment): SampleDeployment => {
  const [place, name] = game.renamed
  const id = expansions[place]?.["id"]
  const embedded = (product: SampleRecord) => {
    const { expansion } = product
    return product["expansionId"] === id && typeof expansion === "object"
      ? { ...product, expansion: { ...expansion, name } }
      : product
  }
  return {
    products: products.map(embedded),
    expansions: expansions.map((expansion, at) => (at === place ? { ...expansion, name } : expansion))
  }
}

/**
 * The game one deployment later: prices move, products come, go and change, a new expansion waits for its products.
 * The third deployment of the first game moves nothing but prices. In the last one an expansion is renamed, and some of
 * the products that left in the second one are back.
 */
const nextDeployment = (game: SampleGame, world: ReadonlyArray<SampleDeployment>, step: number, chance: Chance) => {
  const before = world[step - 1] ?? { products: [], expansions: [] }
  const moved = before.products.map((product) =>
    numberOf(game, product) % 3 === step % 3 ? movePrices(product, chance) : product
  )
  if (game.id === "emberfall" && step === 2) return { ...before, products: moved }
  const back = (world[0]?.products ?? []).filter((product) => step === 3 && numberOf(game, product) % 180 === 11)
  const added = Array.from({ length: step === 2 ? 4 : 18 }, (_, at) =>
    productRecord(game, game.size + step * 20 + at, before.expansions, chance)
  )
  const stay = moved.filter((product) => numberOf(game, product) % 90 !== 10 + step)
  const wave = {
    // No other game has it: an expansion is found by its id alone.
    id: Number(before.expansions[0]?.["id"]) + 90 + step,
    gameId: game.id,
    slug: `wave-${step}`,
    name: `Wave ${step}`,
    code: `W${step}`,
    languages: ["en"]
  }
  const after = {
    products: [...stay.map((product) => edit(game, product, step)), ...added, ...back],
    expansions: [...before.expansions, wave]
  }
  return step === 3 ? renameExpansion(game, after) : after
}

/** All deployments of a game, oldest first, each sorted by id. */
export const sampleWorld = (game: SampleGame): ReadonlyArray<SampleDeployment> => {
  const chance = makeChance(game.firstId % 100_003)
  const expansions = game.expansions.map((_, place) => expansionRecord(game, place))
  const products = Array.from({ length: game.size }, (_, number) => productRecord(game, number, expansions, chance))
  const world: Array<SampleDeployment> = [{ products, expansions }]
  for (let step = 1; step < sampleDeployments.length; step++) world.push(nextDeployment(game, world, step, chance))
  const byId = (a: SampleRecord, b: SampleRecord) => Number(a["id"]) - Number(b["id"])
  return world.map((each) => ({
    products: each.products.map((product) => onPurpose(game, product)).toSorted(byId),
    expansions: each.expansions.toSorted(byId)
  }))
}
