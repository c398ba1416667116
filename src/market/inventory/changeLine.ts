import { Result } from "effect"
import type { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import {
  Conflict,
  InsufficientQuantity,
  InvalidCount,
  InvalidFinish,
  InvalidLanguage,
  LocationNotFound,
  TagNotFound
} from "../contract/inventory/InventoryErrors.ts"
import type { LineChange } from "../contract/inventory/InventoryLine.ts"
import { badRequest, noSuch } from "../answers/refusals.ts"
import type { SoldProduct } from "../catalogue/soldProducts.ts"
import type { Transaction } from "../state/State.ts"
import { checkIdentity, labelIds, type LineRefused } from "./createLines.ts"
import { type PhotoRow, photosAt, photosOfLine, putPhotos } from "./linePhotos.ts"
import { findByCustomId, findLine, toSlab, type LineRow, type LineState } from "./LineRow.ts"
import { type StockWrite, findMerged, insertLine, setQuantity, setTags, updateUnits } from "./putLine.ts"

/** A requested change of a line, with its product if the catalogue has it. */
interface ChangeRequest {
  readonly change: LineChange
  readonly product: SoldProduct | undefined
}

/** What a change names besides the identity of a line. */
interface Description {
  readonly comment?: string | null
  readonly notes?: string | null
  readonly tagIds?: ReadonlyArray<string> | undefined
  readonly photos?: ReadonlyArray<PhotoRow> | undefined
}

/** A number of units to split off, and their new state. */
interface Split {
  readonly count: number
  readonly part: LineState
  readonly named?: Description
}

/** The changed line and, after a split, the rest. */
export interface ChangedIds {
  readonly line: string
  readonly remainder: string | null
}

export const noSuchLine = (inventoryId: string): NotFound => noSuch("line", inventoryId, { inventoryId })

export const tooFew = ({ id, quantity }: LineRow, requested: number): InsufficientQuantity =>
  new InsufficientQuantity({
    message: `The line has ${quantity} of the ${requested} units`,
    data: { inventoryId: id, available: quantity, requested }
  })

/** Returns the new condition and slab. Setting one clears the other unless the change has both. */
const chooseGrading = (line: LineRow, { condition, graded }: LineChange): Partial<LineState> => {
  if (graded !== undefined) {
    return { ...toSlab(graded), condition: condition ?? (graded === null ? line.condition : null) }
  }
  if (condition === undefined) return {}
  return condition === null ? { condition } : { ...toSlab(null), condition }
}

/** Returns the tags of a line after a change; undefined if unchanged. */
const changeTags = (tx: Transaction, line: LineRow, { tags }: LineChange) =>
  Result.gen(function* () {
    if (tags === undefined) return undefined
    const findTagIds = (names: ReadonlyArray<string> = []) =>
      Result.mapBoth(labelIds(tx, line.account_id, { tags: names }), {
        onFailure: ({ data: { name } }) =>
          new TagNotFound({ message: `No tag is called ${String(name)}`, data: { name: String(name) } }),
        onSuccess: ({ tagIds }) => tagIds
      })
    const kept = tags.set === undefined ? listTagIds(tx, line.id) : yield* findTagIds(tags.set)
    const removed = new Set(yield* findTagIds(tags.remove))
    return [...kept, ...(yield* findTagIds(tags.add))].filter((id) => !removed.has(id))
  })

const listTagIds = (tx: Transaction, lineId: string): ReadonlyArray<string> =>
  tx
    .all<{ tag_id: string }>("select tag_id from line_tags where line_id = :lineId", { lineId })
    .map(({ tag_id }) => tag_id)

/** Converts the refusal of a changed finish or language to an API error. */
const identityError =
  ({ finishes, languages }: SoldProduct, { finish, language }: LineState) =>
  ({ code }: LineRefused): BadRequest | InvalidFinish | InvalidLanguage => {
    if (code === "INVALID_FINISH") {
      const data = { finish, allowed: finishes }
      return new InvalidFinish({ message: `The product has no finish ${finish}`, data })
    }
    if (code !== "INVALID_LANGUAGE") return badRequest("line", code)
    const message = language === null ? "A card has a language" : `The product was not printed in ${language}`
    return new InvalidLanguage({ message, data: { language, allowed: languages } })
  }

/** Returns the fields of the line, or of the part that is split off, after a change. Unknown labels and values that the product lacks are refused. */
const buildState = (tx: Transaction, line: LineRow, { change, product }: ChangeRequest) =>
  Result.gen(function* () {
    const { comment = line.comment, finish = line.finish, language = line.language, notes = line.notes } = change
    const { count = line.quantity, customId = count < line.quantity ? null : line.custom_id, location } = change
    const state = { ...line, ...chooseGrading(line, change), comment, custom_id: customId, finish, language, notes }
    const identity = [change.condition, change.graded, change.finish, change.language]
    if (identity.some((value) => value !== undefined)) {
      if (product === undefined) return yield* Result.fail(badRequest("productId", "is no longer in the catalogue"))
      yield* Result.mapError(checkIdentity(product, state), identityError(product, state))
    }
    // The rest of a split line keeps its customId.
    if (customId !== null && (customId !== line.custom_id || count < line.quantity)) {
      const taken = findByCustomId(tx, line.account_id, customId)
      const data = { customId }
      if (taken !== undefined) return yield* Result.fail(new Conflict({ message: `${customId} is taken`, data }))
    }
    if (location === undefined) return state
    const { locationId = null } = yield* Result.mapError(labelIds(tx, line.account_id, { location }), ({ data }) => {
      return new LocationNotFound({
        message: `No location is called ${location}`,
        data: { name: String(data["name"]) }
      })
    })
    return { ...state, location_id: locationId }
  })

const quantityAfter = (line: LineRow, { quantity }: LineChange): Result.Result<number, InsufficientQuantity> => {
  if (quantity === undefined) return Result.succeed(line.quantity)
  if ("set" in quantity) return Result.succeed(quantity.set)
  const after = line.quantity + quantity.adjust
  return after < 0 ? Result.fail(tooFew(line, -quantity.adjust)) : Result.succeed(after)
}

const checkCount = ({ count, quantity, ...rest }: LineChange): Result.Result<void, InvalidCount> => {
  const why = quantity === undefined ? "count comes with what to change" : "count and quantity exclude each other"
  return count !== undefined && (quantity !== undefined || Object.keys(rest).length === 0)
    ? Result.fail(new InvalidCount({ message: why, data: {} }))
    : Result.succeed(undefined)
}

/**
 * Splits units off a line and changes their state. They join the oldest line that they equal now, which keeps what the
 * change does not name, or become a new line with the comment, notes, tags and photos of the original. The original
 * stays, also if the new line equals it.
 */
export const splitLine = (
  write: StockWrite,
  line: LineRow,
  { count, named = {}, part }: Split
): Result.Result<ChangedIds, BadRequest> => {
  const { tx } = write
  const joined = findMerged(tx, line, part)
  const { comment = joined?.comment ?? null, notes = joined?.notes ?? null, photos, tagIds } = named
  const id =
    joined === undefined
      ? Result.succeed(insertLine(write, part, { quantity: count, tagIds: tagIds ?? listTagIds(tx, line.id) }))
      : Result.map(
          updateUnits(write, joined, { state: { ...joined, comment, notes }, quantity: joined.quantity + count }),
          () => joined.id
        )
  return Result.map(id, (changed) => {
    if (joined !== undefined && tagIds !== undefined) setTags(tx, changed, tagIds)
    if (joined === undefined || photos !== undefined) putPhotos(tx, changed, photos ?? photosOfLine(tx, line.id))
    setQuantity(write, line, line.quantity - count)
    return { line: changed, remainder: line.id }
  })
}

/** Changes a line, or `count` of its units. Beyond the spec: section 10, merge and split. */
export const changeLine = (write: StockWrite, inventoryId: string, { change, product }: ChangeRequest) =>
  Result.gen(function* () {
    const { accountId, tx } = write
    const line = findLine(tx, accountId, inventoryId)
    if (line === undefined) return yield* Result.fail(noSuchLine(inventoryId))
    yield* checkCount(change)
    const { count = line.quantity } = change
    if (count > line.quantity) return yield* Result.fail(tooFew(line, count))
    const state = yield* buildState(tx, line, { change, product })
    const joined = count < line.quantity ? findMerged(tx, line, state) : undefined
    const tagIds = yield* changeTags(tx, joined ?? line, change)
    const photos = change.photos === undefined ? undefined : yield* photosAt(tx, line.id, change.photos)
    if (count < line.quantity) {
      return yield* splitLine(write, line, { count, part: state, named: { ...change, tagIds, photos } })
    }
    yield* updateUnits(write, line, { state, quantity: yield* quantityAfter(line, change) })
    if (tagIds !== undefined) setTags(tx, line.id, tagIds)
    if (photos !== undefined) putPhotos(tx, line.id, photos)
    return { line: line.id, remainder: null }
  })
