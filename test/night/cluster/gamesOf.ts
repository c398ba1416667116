import { type Deployed, card, expansion } from "../../store/lake/invented.ts"

/** Games of so many products; at the second deployment, every price is another one. */
export const gamesOf = (games: ReadonlyArray<string>, products: number): Record<string, ReadonlyArray<Deployed>> =>
  Object.fromEntries(
    games.map((gameId) => [
      gameId,
      [1, 2].map((factor) => ({
        expansions: [expansion(1, { gameId })],
        products: Array.from({ length: products }, (_, index) =>
          card(index + 1, {
            gameId,
            game: { id: gameId, name: `Game ${gameId}` },
            pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: factor * (1 + (index % 23)) } } }
          })
        )
      }))
    ])
  )
