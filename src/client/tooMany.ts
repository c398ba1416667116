/** What is wrong with a page that holds more records than it may, before anybody looks at one of them; null when nothing is. */
export const tooMany = (json: unknown, most: number): string | null =>
  typeof json === "object" && json !== null && "data" in json && Array.isArray(json.data) && json.data.length > most
    ? `${json.data.length} records where it may hold ${most}`
    : null
