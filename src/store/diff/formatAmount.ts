/** Groups integer digits by three and keeps every digit: 104746.5000 becomes 104,746.5000. Null becomes empty. */
export const grouped = (figure: number | string | null): string =>
  figure === null ? "" : String(figure).replace(/\d+/, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ","))

/** Formats a count with its noun: 1 row, 2 rows, 104,746 rows. */
export const formatAmount = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`
