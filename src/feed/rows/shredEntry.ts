import { isObject } from "./isObject.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import type { Node } from "./batch/TableBatch.ts"
import type { Shredding } from "./Shredding.ts"

/** More entries than a page of the changelog has. */
const placesOfPage = 1000

const entities = [
  ["products", "product"],
  ["expansions", "expansion"]
] as const
const kinds = ["added", "modified", "removed"]

/** An entry of the changelog as rows of its tables; `page` and `index` give its position in the feed, newest first. */
export const shredEntry = (to: Shredding, { changedIds }: Dialect) => {
  const deployments = to.table("deployments")
  const changed = to.table("deployment_changes")
  return (entry: Node, page: number, index: number) => {
    deployments.row({ ...entry, feedPosition: page * placesOfPage + index + 1 })
    const { changes, id } = entry
    if (!isObject(changes)) return
    for (const [list, entity] of entities) {
      const word = changedIds[list]
      const items = changes[list]
      for (const change of isObject(items) ? kinds : []) {
        const named = isObject(items) ? items[change] : []
        for (const [place, item] of (Array.isArray(named) ? named : []).entries()) {
          const one: Node = isObject(item) ? item : {}
          changed.row(one, id, entity, change, place + 1, one["slug"], one[word])
        }
      }
    }
  }
}
