import type { SampleGame } from "./sampleGames.ts"

/** What a record gets, or lacks, where odd records are asked for. */
interface OddRecord {
  readonly id: number
  readonly set?: { readonly [key: string]: unknown }
  readonly without?: ReadonlyArray<string>
}

const priced = (blocks: unknown) => ({ pricesByFinish: { Standard: blocks } })

/** Records that the contract must refuse, four products in all: a negative price, an id as text, a price in fractions of a cent, no name. */
export const oddRecords = ({ firstId, id: gameId, idStep }: SampleGame): ReadonlyArray<OddRecord> => {
  const id = (number: number) => firstId + number * idStep
  switch (gameId) {
    case "emberfall":
      return [{ id: id(120), set: priced({ sourceEur: { currency: "EUR", low: -1.5, marketValue: 2.1 } }) }]
    case "tidewrack":
      return [
        { id: id(300), set: { id: String(id(300)) } },
        { id: id(330), set: priced({ sourceUsd: { currency: "USD", marketValue: 1.23456 } }) }
      ]
    default:
      return [{ id: id(77), without: ["name"] }]
  }
}
