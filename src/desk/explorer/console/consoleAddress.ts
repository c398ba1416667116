/** Letters of an address that every program and proxy on the way takes. */
export const longestAddress = 8000

/** The address of a query's result, or of that as a file. */
export const consoleAddress = (
  sql: string,
  file: "" | ".csv" | ".json" = "",
  more: Record<string, string> = {}
): string => `/console${file}?${new URLSearchParams({ ...more, sql })}`

/** Whether a query can be sent to somebody as an address. */
export const hasAddress = (sql: string): boolean => consoleAddress(sql).length <= longestAddress
