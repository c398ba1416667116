import { Context, Effect } from "effect"
import { Marketplace } from "../../src/client/Marketplace.ts"

/** One list of games is enough for all checks, and so is one look at the newest deployment of each. */
export const askedOnce = Effect.fnUntraced(function* <S>(services: Context.Context<Marketplace | S>) {
  const marketplace = Context.get(services, Marketplace)
  const games = yield* Effect.cached(marketplace.games)
  const heads = new Map<string, Effect.Success<ReturnType<typeof marketplace.changelog>>>()
  const changelog: typeof marketplace.changelog = (gameId, query) =>
    Effect.suspend(() => {
      const known = query.limit === 1 ? heads.get(gameId) : undefined
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(marketplace.changelog(gameId, query), (page) =>
        Effect.sync(() => {
          if (query.limit === 1) heads.set(gameId, page)
        })
      )
    })
  return Context.add(services, Marketplace, { ...marketplace, changelog, games })
})
