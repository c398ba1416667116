import type { Condition, Graded, InventoryLine, Photo } from "../contract/inventory/InventoryLine.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { toMoney, type Store } from "../state/State.ts"
import { sqlText } from "../state/openDatabase.ts"

/** The columns of lines and sold items that describe one unit. */
export interface UnitRow {
  readonly finish: string
  readonly condition: Condition | null
  readonly language: string | null
  readonly grading_service: string | null
  readonly grade: string | null
  readonly certification: string | null
}

/** The fields of a line that requests set. Lines without customId are equal if they agree in the unit and the upper part. */
export interface LineState extends UnitRow {
  readonly product_id: number
  /** In the seller's currency; null if not for sale. */
  readonly price_cents: number | null
  readonly location_id: string | null

  readonly game: string
  readonly custom_id: string | null
  readonly comment: string | null
  readonly notes: string | null
}

/** A row of `inventory_lines`. */
export interface LineRow extends LineState {
  readonly id: string
  readonly account_id: string
  readonly quantity: number
  readonly updated_at: string
}

/** A row of `selectLines.sql`. */
export interface ShownRow extends LineRow {
  readonly currency: MarketCurrency | null
  readonly location: string | null
  readonly tags: string
  readonly photos: string
}

export const selectLines = sqlText(new URL("./selectLines.sql", import.meta.url))

interface StoredPhoto {
  readonly fileId: string
  readonly width: number
  readonly height: number
}

/** Returns the slab of a line or sold item; null if it has none. */
export const readGraded = (row: Pick<LineState, "grading_service" | "grade" | "certification">): Graded | null =>
  row.grading_service === null
    ? null
    : { gradingService: row.grading_service, grade: row.grade ?? "", certification: row.certification }

/** Returns the columns of a slab, all null without one. */
export const toSlab = (graded: Partial<Record<keyof Graded, string | null>> | null | undefined) => ({
  grading_service: graded?.gradingService ?? null,
  grade: graded?.grade ?? null,
  certification: graded?.certification ?? null
})

/** Returns stored photos with links that begin with `origin`. */
export const parsePhotos = (photos: string, origin: string): ReadonlyArray<Photo> =>
  (JSON.parse(photos) as ReadonlyArray<StoredPhoto>).map(({ fileId, width, height }) => ({
    url: `${origin}/sandbox/files/${fileId}`,
    width,
    height
  }))

/** Prefix of a listing's id, which thus differs from the id of the seller's line. */
const prefix = "lst_"
export const lineIdOf = (listingId: string): string =>
  listingId.startsWith(prefix) ? listingId.slice(prefix.length) : ""
export const listingIdOf = (lineId: string): string => prefix + lineId

/** Returns a line as the API shows it. Photo links begin with `origin`. */
export const showLine = (row: ShownRow, origin: string): InventoryLine => ({
  id: row.id,
  customId: row.custom_id,
  comment: row.comment,
  notes: row.notes,
  location: row.location,
  tags: JSON.parse(row.tags) as ReadonlyArray<string>,
  productId: row.product_id,
  game: row.game,
  finish: row.finish,
  condition: row.condition,
  language: row.language,
  quantity: row.quantity,
  graded: readGraded(row),
  forSale: row.price_cents !== null,
  listing:
    row.price_cents === null || row.currency === null
      ? null
      : { price: toMoney(row.price_cents, row.currency), listingId: listingIdOf(row.id) },
  photos: parsePhotos(row.photos, origin),
  updatedAt: row.updated_at
})

/** Finds a stored line of the account by id. */
export const findLine = (store: Store, accountId: string, id: string): LineRow | undefined =>
  store.one<LineRow>("select * from inventory_lines where id = :id and account_id = :accountId", { id, accountId })

/** Finds the account's line with this customId. */
export const findByCustomId = (store: Store, accountId: string, customId: string): LineRow | undefined =>
  store.one<LineRow>("select * from inventory_lines where account_id = :accountId and custom_id = :customId", {
    accountId,
    customId
  })

/** Returns an existing line as the API shows it. */
export const shownLine = (store: Store, id: string, origin: string): InventoryLine => {
  const row = store.one<ShownRow>(`${selectLines} where line.id = :id`, { id })
  if (row === undefined) throw new Error(`The line ${id} is gone`)
  return showLine(row, origin)
}
