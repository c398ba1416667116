import { seededNumber } from "../seededNumber.ts"
import { isPlainObject, type Json } from "../Json.ts"
import { dayOfStory, type StoryStep } from "./storyDays.ts"

const priceKeys = new Set(["low", "mid", "high", "marketValue", "amount"])

/** Prices swing by 6 %, each product's once a week; one in a hundred climbs by 4 % a day in the last week. */
const factorOf = (id: number, finish: string, day: number): number => {
  const draw = seededNumber(id, finish)
  const moved = day - ((day + Math.floor(draw * 700)) % 7)
  const climbed = draw < 0.01 ? 1.04 ** Math.max(0, day - 14) : 1
  return climbed * (1 + 0.06 * Math.sin(draw * 1000 + moved / 4))
}

/** A figure in fractions of a cent stays as it is, so that the contract keeps refusing it. */
const scaled = (value: unknown, factor: number): unknown => {
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isPrice = priceKeys.has(key) && typeof inner === "number" && Math.round(inner * 100) / 100 === inner
      return [key, isPrice ? Math.round(inner * factor * 100) / 100 : scaled(inner, factor)]
    })
  )
}

/** A stored product record with the prices of a day of the story. */
export const pricedOn = (product: Json, on: string, { quiet }: StoryStep): Json => {
  const id = Number(product["id"])
  const day = dayOfStory(on)
  const blocksOf = (finish: string, blocks: unknown): unknown => {
    const moved = scaled(blocks, factorOf(id, finish, day))
    if (!isPlainObject(moved) || quiet === undefined || id % 10 < 4) return moved
    const { [quiet]: _quiet, ...others } = moved
    return others
  }
  const { prices, pricesByFinish } = product
  return {
    ...product,
    ...(prices === undefined ? {} : { prices: blocksOf("Standard", prices) }),
    ...(isPlainObject(pricesByFinish)
      ? {
          pricesByFinish: Object.fromEntries(
            Object.entries(pricesByFinish).map(([finish, blocks]) => [finish, blocksOf(finish, blocks)])
          )
        }
      : {})
  }
}
