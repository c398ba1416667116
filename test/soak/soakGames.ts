import type { Deployed } from "../store/lake/invented.ts"

/**
 * What each deployment of a soaked game changes:
 * cards come, go, are renamed, change a field, or only have other prices.
 */
export const soakSteps = ["first", "added", "removed", "renamed", "prices", "modified"] as const

/** Place of a deployment, counted from 0. */
export const placeOf = (step: (typeof soakSteps)[number]): number => soakSteps.indexOf(step)

const kinds = ["Ash", "Birch", "Cedar", "Elder", "Hazel", "Linden", "Rowan"]

const prices = (number: number, moved: number) => {
  const cents = 25 + ((number * 37 + moved * 11) % 4000)
  const low = cents / 100
  const depth = { low, listingCount: 1 + (number % 9), availableQuantity: 2 + (number % 17) }
  const regions = { eu: { currency: "EUR", ...depth, byCondition: { NM: { ...depth, byLanguage: { en: depth } } } } }
  return {
    sourceEur: {
      currency: "EUR",
      low,
      mid: (cents + 100) / 100,
      marketValue: (cents + 25) / 100,
      change7d: (number % 40) - 20
    },
    ...(number % 3 === 0 ? { sourceUsd: { currency: "USD", low: (cents + 50) / 100, change24h: null } } : {}),
    ...(number % 4 === 0 ? { marketplace: { ...depth, low: { amount: low, currency: "EUR" }, regions } } : {})
  }
}

/** A product as a deployment has it, with the changes of all deployments before. */
const product = (gameId: string, firstId: number, number: number, place: number) => {
  const since = (step: (typeof soakSteps)[number]) => place >= placeOf(step)
  const renamed = since("renamed") && number % 61 === 7
  // A renamed card moves to the other end of the order by name, over every page boundary.
  const name = `${renamed ? (number % 2 === 0 ? "Aaa " : "Zzz ") : ""}${kinds[(number * 5) % kinds.length]} ${number}`
  const priced = prices(number, since("prices") && number % 5 === 2 ? 1 : 0)
  const expansionId = 1 + (number % 4)
  const common = {
    id: firstId + number,
    gameId,
    game: { id: gameId, name: `Game ${gameId}` },
    name,
    nameSlug: `${gameId}-${number}`,
    languages: number % 2 === 0 ? ["en"] : ["en", "de"],
    expansionId,
    expansion: { id: expansionId, code: `X${expansionId}`, name: `Expansion ${expansionId}` },
    externalIds: { sourceEur: [{ finish: "Standard", id: 1000 + number }] },
    releaseDate: "2024-05-01T00:00:00.000Z"
  }
  if (number % 20 === 19) return { ...common, productType: "sealed", productCategory: "booster_box", prices: priced }
  const finishes = number % 6 === 1 ? ["Standard", "Foil"] : ["Standard"]
  return {
    ...common,
    productType: "card",
    finishes,
    pricesByFinish: Object.fromEntries(
      finishes.map((finish, at) => [finish, prices(number + at, 0)]).concat([["Standard", priced]])
    ),
    attributes: { cost: number % 7 },
    printNumber: String(number),
    rarity: since("modified") && number % 53 === 3 ? "mythic" : "common"
  }
}

/** The deployments of a game that starts with `size` products, in the order of {@link soakSteps}. */
const soakDeployments = (gameId: string, firstId: number, size: number): ReadonlyArray<Deployed> =>
  soakSteps.map((_, place) => {
    const last = size + (place >= placeOf("added") ? Math.ceil(size / 80) : 0)
    const numbers = Array.from({ length: last }, (_, number) => number).filter(
      (number) => place < placeOf("removed") || number % 67 !== 11
    )
    return {
      expansions: Array.from({ length: place >= placeOf("added") ? 5 : 4 }, (_, at) => ({
        id: at + 1,
        gameId,
        slug: `${gameId}-x${at + 1}`,
        name: `Expansion ${at + 1}`,
        code: `X${at + 1}`,
        languages: ["en"]
      })),
      products: numbers.map((number) => product(gameId, firstId, number, place))
    }
  })

/** Three games of four, three and two pages of products. */
export const soakGames: Readonly<Record<string, ReadonlyArray<Deployed>>> = {
  alder: soakDeployments("alder", 9_007_000_000_000_000, 640),
  birch: soakDeployments("birch", 70_000, 430),
  cedar: soakDeployments("cedar", 500, 250)
}
