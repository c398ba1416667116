/**
 * A figure as a decimal of so many places, times ten to their power; null where it is not below `most`. Half of the last place goes to the
 * even one, as DuckDB rounds a double. Money never is rounded: whatever would be was refused.
 */
export const roundedTo = (places: number, most: number, figure: number): number | null => {
  const scaled = figure * 10 ** places
  const up = Math.round(scaled)
  const rounded = up - scaled === 0.5 && up % 2 !== 0 ? up - 1 : up
  return Math.abs(rounded) < most ? rounded : null
}
