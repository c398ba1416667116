/**
 * A figure as a decimal of so many places, times ten to their power; null where it is not below `most`. Half of the
 * last place goes away from 0, as where DuckDB rounds a double. Money never is rounded: whatever would be was
 * refused.
 */
export const roundedTo = (places: number, most: number): ((figure: number) => number | null) => {
  const scale = 10 ** places
  return (figure) => {
    const rounded = Math.round(Math.abs(figure * scale))
    if (rounded >= most) return null
    return figure < 0 ? -rounded : rounded
  }
}
