/** A line of CSV according to RFC 4180: null is empty, empty text is `""`. */
export const csvLine = (cells: ReadonlyArray<string | null>): string => `${cells.map(csvCell).join(",")}\r\n`

const csvCell = (text: string | null): string => {
  if (text === null) return ""
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
