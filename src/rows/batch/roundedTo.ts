/**
 * A figure as a decimal of so many places, times ten to their power; null if it is not below `most`. Rounds half away
 * from 0, as DuckDB does. Money is never rounded: whatever would need it was refused.
 */
export const roundedTo = (places: number, most: number): ((figure: number) => number | null) => {
  const scale = 10 ** places
  return (figure) => {
    const rounded = Math.round(Math.abs(figure * scale))
    if (rounded >= most) return null
    return figure < 0 ? -rounded : rounded
  }
}
