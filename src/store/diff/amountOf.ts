/** A figure's integer digits in groups of three: 104746.5000 reads 104,746.5000. Every digit stays; null is empty. */
export const grouped = (figure: number | string | null): string =>
  figure === null ? "" : String(figure).replace(/\d+/, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ","))

/** 1 row, 2 rows, 104,746 rows. */
export const amountOf = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`
