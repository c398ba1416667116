const textOrExponent = /"(?:[^"\\]|\\.)*"|e\+/g

/** A value as JSON text, with DuckDB's spelling of great numbers: `1e30`, where JavaScript writes `1e+30`. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.includes("e+") ? text.replaceAll(textOrExponent, (found) => (found === "e+" ? "e" : found)) : text
}
