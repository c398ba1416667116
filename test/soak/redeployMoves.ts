import type { FaultRule } from "../../src/market/faults/FaultPlan.ts"
import type { Deployed } from "../store/lake/invented.ts"
import { placeOf, soakDeployments, soakSteps } from "./soakGames.ts"

const nameOf = (product: object | string) =>
  typeof product === "object" && "name" in product ? String(product.name) : ""

export const movedGame = "alder"
/** Four pages of products and one of expansions. */
const deployments = soakDeployments(movedGame, 9_007_000_000_000_000, 640)

/** The last one moves a price on the second and one on the last page, and nothing else. */
export const movedDeployments: ReadonlyArray<Deployed> = [
  ...deployments,
  ...deployments.slice(-1).map(({ expansions = [], products }) => {
    const byName = products.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    const moved = new Set([byName[300], byName.at(-1)])
    return {
      expansions,
      products: products.map((product) =>
        moved.has(product) ? JSON.stringify(product).replace(/"mid":[\d.]+/, '"mid":4321') : product
      )
    }
  })
]

/** Every page that a reading asks for: one of expansions, four of products, three of the changelog. */
const pages: ReadonlyArray<readonly [name: string, where: Pick<FaultRule, "endpoint" | "offset" | "at">]> = [
  ["the changelog head before", { endpoint: "changelog", at: [1] }],
  ["the expansions", { endpoint: "expansions", offset: 0, at: [1] }],
  ...[0, 200, 400, 600].map(
    (offset) => [`the products at ${offset}`, { endpoint: "products", offset, at: [1] } as const] as const
  ),
  ["the changelog", { endpoint: "changelog", at: [2] }],
  ["the changelog head after", { endpoint: "changelog", at: [3] }]
]

/** A redeploy just before each page, and just after the last one. */
export const redeployRules = (steps: number) => {
  const rule = { kind: "redeploy", game: movedGame, steps } as const
  return [
    ...pages.map(([page, where]) => ({
      place: `before ${page}`,
      rule: { ...rule, ...where, when: "before" } as const
    })),
    ...pages
      .slice(-1)
      .map(([page, where]) => ({ place: `after ${page}`, rule: { ...rule, ...where, when: "after" } as const }))
  ]
}

/**
 * What goes live, the place it leads to and how many deployments at once.
 * A step that moves only prices has no changelog entry.
 */
export const moves = [
  ["one deployment that adds", placeOf("added"), 1],
  ["one that removes", placeOf("removed"), 1],
  ["one that renames", placeOf("renamed"), 1],
  ["two at once, adding and removing", placeOf("removed"), 2],
  ["one that moves only prices", placeOf("prices"), 1],
  ["one that moves only prices behind the first page", soakSteps.length, 1]
] as const
