/** Why a page with more records than allowed is refused before anybody looks at one; null if it is not. */
export const tooMany = (json: unknown, most: number): string | null =>
  typeof json === "object" && json !== null && "data" in json && Array.isArray(json.data) && json.data.length > most
    ? `${json.data.length} records where ${most} are allowed`
    : null
