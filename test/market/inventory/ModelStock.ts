/** A line as a person would keep it on paper. */
export interface ModelLine {
  id: string
  customId: string | null
  condition: string
  location: string | null
  /** In cents; null if not for sale. */
  price: number | null
  quantity: number
  comment: string | null
  notes: string | null
  tags: ReadonlyArray<string>
  photos: ReadonlyArray<string>
}

/** Lines in the order in which they were made. */
export type ModelStock = ReadonlyArray<ModelLine>

export interface ModelChange {
  readonly count?: number
  readonly quantity?: { readonly set: number } | { readonly adjust: number }
  readonly condition?: string
  readonly location?: string | null
  readonly customId?: string | null
  readonly comment?: string | null
  readonly notes?: string | null
  readonly tags?: { readonly set?: ReadonlyArray<string>; readonly add?: ReadonlyArray<string> }
  readonly photos?: ReadonlyArray<string>
}

/** The stock after an operation, and the changed line; or the code of the refusal. */
export type Outcome = { readonly stock: ModelStock; readonly line: ModelLine } | { readonly code: string }

let made = 0

/** The id of a new line until the marketplace gives it one. */
export const newId = (): string => `new ${(made += 1)}`

const isAlike = (one: ModelLine, other: ModelLine) =>
  one.condition === other.condition && one.location === other.location && one.price === other.price

/** The first line that these units belong to, besides the line that they come from. */
const findHome = (stock: ModelStock, units: ModelLine, from?: ModelLine) =>
  units.customId === null && (from === undefined || !isAlike(units, from))
    ? stock.find((line) => line.id !== from?.id && line.customId === null && isAlike(line, units))
    : undefined

const replace = (stock: ModelStock, line: ModelLine) => stock.map((each) => (each.id === line.id ? line : each))

/** What a change says of a line beside its place, condition, price and number. */
const describe = (line: ModelLine, { comment, notes, photos, tags }: ModelChange): ModelLine => ({
  ...line,
  ...(comment === undefined ? {} : { comment }),
  ...(notes === undefined ? {} : { notes }),
  ...(photos === undefined ? {} : { photos }),
  ...(tags === undefined ? {} : { tags: [...new Set([...(tags.set ?? line.tags), ...(tags.add ?? [])])].toSorted() })
})

/** Moves units of a line: to the line that they are like now, or into a new one. */
const splitOff = (stock: ModelStock, line: ModelLine, part: ModelLine, change: ModelChange): Outcome => {
  const rest = replace(stock, { ...line, quantity: line.quantity - part.quantity })
  const home = findHome(stock, part, line)
  const target = home === undefined ? part : { ...home, quantity: home.quantity + part.quantity }
  const changed = describe(target, change)
  return { line: changed, stock: home === undefined ? [...rest, changed] : replace(rest, changed) }
}

/** Changes a whole line, into which one that it is like now goes. */
const changeAll = (stock: ModelStock, line: ModelLine, after: ModelLine): Outcome => {
  const merged = findHome(stock, after, line)
  const changed = { ...after, quantity: after.quantity + (merged?.quantity ?? 0) }
  return { line: changed, stock: replace(stock, changed).filter(({ id }) => id !== merged?.id) }
}

/** A new line, or its units on the line that it is like. */
export const addToModel = (stock: ModelStock, line: ModelLine): Outcome => {
  if (line.customId !== null && stock.some(({ customId }) => customId === line.customId)) {
    return { code: "CUSTOM_ID_CONFLICT" }
  }
  const home = findHome(stock, line)
  if (home === undefined) return { line, stock: [...stock, line] }
  const grown = { ...home, quantity: home.quantity + line.quantity }
  return { line: grown, stock: replace(stock, grown) }
}

/** A PATCH of a line, or an item of a bulk update. */
export const changeModel = (stock: ModelStock, id: string, change: ModelChange): Outcome => {
  const line = stock.find((each) => each.id === id)
  if (line === undefined) return { code: "NOT_FOUND" }
  const { count, quantity, ...fields } = change
  if (count !== undefined && (quantity !== undefined || Object.keys(fields).length === 0)) {
    return { code: "INVALID_COUNT" }
  }
  if ((count ?? 0) > line.quantity) return { code: "INSUFFICIENT_QUANTITY" }
  const { customId } = change
  const rest = count !== undefined && count < line.quantity ? line : undefined
  const others = stock.filter((each) => each.id !== line.id || each === rest)
  if (customId != null && others.some((each) => each.customId === customId)) return { code: "CONFLICT" }
  const { condition = line.condition, location = line.location } = change
  const moved = { ...line, condition, location }
  if (rest !== undefined) {
    const part = { ...moved, id: newId(), customId: customId ?? null, quantity: count ?? 0 }
    return splitOff(stock, line, part, change)
  }
  const units =
    quantity === undefined ? line.quantity : "set" in quantity ? quantity.set : line.quantity + quantity.adjust
  if (units < 0) return { code: "INSUFFICIENT_QUANTITY" }
  const named = { ...moved, customId: customId === undefined ? line.customId : customId, quantity: units }
  return changeAll(stock, line, describe(named, change))
}

/** Lists, reprices or takes off sale so many units of a line. */
export const priceModel = (stock: ModelStock, id: string, price: number | null, count: number): Outcome => {
  const line = stock.find((each) => each.id === id)
  if (line === undefined) return { code: "NOT_FOUND" }
  if (count > line.quantity) return { code: "INSUFFICIENT_QUANTITY" }
  return count < line.quantity
    ? splitOff(stock, line, { ...line, id: newId(), customId: null, price, quantity: count }, {})
    : changeAll(stock, line, { ...line, price })
}

/** A row of an import. An absent field keeps what a known line has. */
export type ModelRow = Partial<Omit<ModelLine, "id">> & { readonly quantity: number }

/** Imports a row: a known customId sets its line, any other row is a new line. */
export const importModel = (stock: ModelStock, row: ModelRow, blank: ModelLine): Outcome => {
  const known = stock.find(({ customId }) => customId !== null && customId === row.customId)
  if (known === undefined) return addToModel(stock, { ...blank, ...row, id: newId() })
  const line = { ...known, ...row }
  return { line, stock: replace(stock, line) }
}

/** Deletes a location, which leaves its lines. */
export const clearPlace = (stock: ModelStock, place: string): ModelStock =>
  stock.map((line) => (line.location === place ? { ...line, location: null } : line))
