/** A platform for which DuckDB has no binary, or an installation without it, as one sentence; null for any other cause. */
export const withoutDuckDB = (cause: unknown): string | null => {
  if (!(cause instanceof Error)) return null
  const [reason = ""] = cause.message.split("\n")
  if (!/duckdb\.node|duckdb native binding/.test(reason)) return null
  return `DuckDB cannot be loaded on ${process.platform}-${process.arch}: ${reason}. It has binaries for Linux, macOS and Windows on x64 and arm64: install Cardlake anew on one of them, with optional dependencies`
}
