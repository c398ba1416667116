import { sampleDeployments } from "./sampleGames.ts"
import type { SampleDeployment, SampleRecord } from "./sampleWorld.ts"

const windows = { change24h: 1, change7d: 7, change30d: 30 } as const
const sources = ["sourceEur", "sourceUsd"] as const

type Block = { readonly marketValue?: number }
type Blocks = { readonly [source in (typeof sources)[number]]?: Block }

const blocksOf = (product: SampleRecord | undefined): { readonly [finish: string]: Blocks } =>
  (product?.["pricesByFinish"] ?? (product === undefined ? {} : { "": product["prices"] })) as never

const dayOf = (at: number) => Date.parse(sampleDeployments[at]?.date ?? "") / 86_400_000

/** The product with percent changes against the deployments of a day, a week and thirty days before, where there are any. */
const withPercentages = (product: SampleRecord, before: { readonly [window: string]: SampleRecord | undefined }) => {
  const blocks = Object.entries(blocksOf(product)).map(([finish, of]) => {
    const changed: Record<string, unknown> = { ...of }
    for (const source of sources) {
      const block = of[source]
      if (block === undefined) continue
      const changes = Object.entries(before).flatMap(([window, earlier]) => {
        const old = blocksOf(earlier)[finish]?.[source]?.marketValue ?? 0
        const now = block.marketValue ?? 0
        return old > 0 && now > 0 ? [[window, Math.round((now / old - 1) * 10_000) / 100]] : []
      })
      changed[source] = { ...block, ...Object.fromEntries(changes) }
    }
    return [finish, changed] as const
  })
  const byFinish = Object.fromEntries(blocks)
  return "pricesByFinish" in product ? { ...product, pricesByFinish: byFinish } : { ...product, prices: byFinish[""] }
}

/** The deployments of a game with the percentages that its price history gives. */
export const samplePercentages = (world: ReadonlyArray<SampleDeployment>): ReadonlyArray<SampleDeployment> => {
  const byId = world.map(({ products }) => new Map(products.map((product) => [product["id"], product])))
  return world.map((deployment, at) => ({
    ...deployment,
    products: deployment.products.map((product) => {
      const before = Object.entries(windows).map(([window, days]) => {
        const place = sampleDeployments.findIndex((_, each) => dayOf(at) - dayOf(each) === days)
        return [window, byId[place]?.get(product["id"])] as const
      })
      return withPercentages(product, Object.fromEntries(before))
    })
  }))
}
