import type { InventoryFilters } from "../contract/inventory/inventoryOperations.ts"
import type { Values } from "../state/State.ts"
import { nameKey } from "./labels.ts"

/** Filters of a list or search. Products are given by id. */
export interface LineFilter extends Omit<
  InventoryFilters,
  | "name"
  | "printNumber"
  | "nameSlug"
  | "expansionId"
  | "productType"
  | "productCategory"
  | "gameFilters"
  | "productId"
  | "productIds"
> {
  readonly productIds?: ReadonlyArray<number>
}

/** Conditions of `selectLines.sql`, joined by AND, with their values. */
export interface Where {
  readonly sql: string
  readonly values: Values
}

const isOneOf = (name: string) => `in (select value from json_each(:${name}))`
const hasTag = `select 1 from line_tags join labels on labels.id = tag_id where line_id = line.id and name_key`
const isNull = (value: string | null): value is null => value === null
const toKeys = (values: ReadonlyArray<string | null>) =>
  JSON.stringify(values.filter((value): value is string => value !== null).map(nameKey))

/** Matches lines with any or all of the tags; null among the values matches lines without tags. */
const tagCondition = ({ op, values }: NonNullable<InventoryFilters["tags"]>): string => {
  const named = values.filter((value) => value !== null).length
  const none = values.some(isNull) ? ["not exists (select 1 from line_tags where line_id = line.id)"] : []
  if (op === "or") return `(${[`exists (${hasTag} ${isOneOf("tags")})`, ...none].join(" or ")})`
  const all = `(select count(*) from (${hasTag} ${isOneOf("tags")})) = ${named}`
  return [all, ...none].join(" and ")
}

/** Matches lines that have one of the values, by `named`, or null. A line has only one, so AND over several is false. */
const valueCondition = (named: string, column: string, { op, values }: NonNullable<InventoryFilters["location"]>) => {
  const none = values.some(isNull) ? [`${column} is null`] : []
  const several = op === "and" && new Set(values).size > 1 ? " and false" : ""
  return `(${[named, ...none].join(" or ")})${several}`
}
const hasLocation = `exists (select 1 from labels where id = line.location_id and name_key ${isOneOf("location")})`

/** SQLite compares ASCII letters without case natively, much faster than a function. */
const sameCustomId = (customId: string): readonly [string, string, string] =>
  /^[ -~]*$/.test(customId)
    ? ["line.custom_id = :customId collate nocase", "customId", customId]
    : ["folded(line.custom_id) = :customId", "customId", customId.toLowerCase()]

/** Matches comments that contain each word. */
const hasEachWord =
  "not exists (select 1 from json_each(:words) where instr(folded(coalesce(line.comment, '')), value) = 0)"

/** Returns the conditions of a filter on one account's lines. Spec: GET /v1/inventory; beyond the spec: section 10. */
export const lineFilter = (accountId: string, filter: LineFilter): Where => {
  const conditions = ["line.account_id = :accountId"]
  const values: Record<string, string | number> = { accountId }
  const add = (condition: string, name?: string, value?: string | number) => {
    conditions.push(condition)
    if (name !== undefined && value !== undefined) values[name] = value
  }
  if (filter.game !== undefined) add("line.game = :game", "game", filter.game)
  if (filter.productIds !== undefined) {
    add(`line.product_id ${isOneOf("productIds")}`, "productIds", JSON.stringify(filter.productIds))
  }
  if (filter.forSale !== undefined) add(`line.price_cents is ${filter.forSale ? "not " : ""}null`)
  if (filter.graded !== undefined) add(`line.grading_service is ${filter.graded ? "not " : ""}null`)
  for (const name of ["condition", "language", "finish"] as const) {
    const given = filter[name]
    if (given === undefined) continue
    const chosen = "op" in given ? given : { op: "or" as const, values: given }
    const column = `line.${name}`
    add(valueCondition(`${column} ${isOneOf(name)}`, column, chosen), name, JSON.stringify(chosen.values))
  }
  if (filter.customId !== undefined) add(...sameCustomId(filter.customId))
  if (filter.customIdPrefix !== undefined) {
    const prefix = filter.customIdPrefix.toLowerCase()
    add("substr(folded(line.custom_id), 1, length(:prefix)) = :prefix", "prefix", prefix)
  }
  if (filter.customIdContains !== undefined) {
    add("instr(folded(line.custom_id), :idPart) > 0", "idPart", filter.customIdContains.toLowerCase())
  }
  if (filter.commentContains !== undefined) {
    add(hasEachWord, "words", JSON.stringify(filter.commentContains.toLowerCase().split(/\s+/)))
  }
  for (const [name, figure] of [
    ["quantity", "line.quantity"],
    ["listingPrice", "line.price_cents / 100.0"]
  ] as const) {
    const { max, min } = filter[name] ?? {}
    if (min != null) add(`${figure} >= :${name}Min`, `${name}Min`, min)
    if (max != null) add(`${figure} <= :${name}Max`, `${name}Max`, max)
  }
  if (filter.location !== undefined) {
    const { values: names } = filter.location
    add(valueCondition(hasLocation, "line.location_id", filter.location), "location", toKeys(names))
  }
  if (filter.tags !== undefined) add(tagCondition(filter.tags), "tags", toKeys(filter.tags.values))
  return { sql: conditions.join(" and "), values }
}
