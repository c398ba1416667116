import { Result } from "effect"
import { PhotoNotFound } from "../contract/inventory/InventoryErrors.ts"
import type { Files } from "../files/Files.ts"
import type { Transaction, Store } from "../state/State.ts"

/** A row of `photos` without line and position. */
export interface PhotoRow {
  readonly file_id: string
  readonly content_type: string
  readonly width: number
  readonly height: number
}

export const photosOfLine = (store: Store, lineId: string): ReadonlyArray<PhotoRow> =>
  store.all<PhotoRow>(
    "select file_id, content_type, width, height from photos where line_id = :lineId order by place",
    { lineId }
  )

/** Returns the line's photos at these URLs, in this order, without duplicates. Beyond the spec: section 10. */
export const photosAt = (
  store: Store,
  lineId: string,
  urls: ReadonlyArray<string>
): Result.Result<ReadonlyArray<PhotoRow>, PhotoNotFound> => {
  const known = new Map(photosOfLine(store, lineId).map((photo) => [photo.file_id, photo]))
  const found: Array<PhotoRow> = []
  for (const url of new Set(urls)) {
    const photo = known.get(/\/sandbox\/files\/([0-9a-f]+)$/.exec(url)?.[1] ?? "")
    if (photo === undefined) {
      return Result.fail(new PhotoNotFound({ message: `The line has no photo at ${url}`, data: { url } }))
    }
    found.push(photo)
  }
  return Result.succeed(found)
}

export const putPhotos = (tx: Transaction, lineId: string, photos: ReadonlyArray<PhotoRow>): void => {
  tx.run("delete from photos where line_id = :lineId", { lineId })
  for (const [place, photo] of photos.entries()) {
    tx.run("insert into photos values (:line_id, :place, :file_id, :content_type, :width, :height)", {
      line_id: lineId,
      place,
      ...photo
    })
  }
}

/**
 * Returns a function to call after a write of these lines. It removes files of photos that no line uses any more. Parts
 * of a split share their files, and a line may merge with any line of its account and product.
 */
export const afterPhotos = (store: Store, files: Files["Service"], lineIds: Iterable<string>): (() => void) => {
  const before = store.all<Pick<PhotoRow, "file_id">>(
    `select distinct file_id
     from json_each(:ids) named
     join inventory_lines line on line.id = named.value
     join inventory_lines other on other.account_id = line.account_id and other.product_id = line.product_id
     join photos on photos.line_id = other.id`,
    { ids: JSON.stringify([...lineIds]) }
  )
  return () => {
    for (const { file_id } of before) {
      if (store.one("select 1 from photos where file_id = :file_id", { file_id }) === undefined) files.remove(file_id)
    }
  }
}
