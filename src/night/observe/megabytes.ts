/** Megabytes for people, with as many decimal places as show something. */
export const megabytes = (bytes: number): string => {
  const figure = Math.abs(bytes) / 1e6
  const places = figure >= 10 ? 1 : figure >= 0.01 || figure === 0 ? 2 : 4
  return (bytes / 1e6).toFixed(places)
}
