/**
 * The last entry a page showed, as an opaque text: it stays
 * right while newer entries are added. Spec: cursor pagination.
 */
export const changelogCursor = (gameId: string, entryId: string): string =>
  Buffer.from(JSON.stringify([gameId, entryId])).toString("base64url")

/** The entry that a cursor of this game names; `undefined` for any other text. */
export const entryOfCursor = (gameId: string, cursor: string): string | undefined => {
  try {
    const [game, entryId] = JSON.parse(Buffer.from(cursor, "base64url").toString())
    return game === gameId && typeof entryId === "string" && changelogCursor(gameId, entryId) === cursor
      ? entryId
      : undefined
  } catch {
    return undefined
  }
}
