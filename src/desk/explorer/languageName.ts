const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" })

/** A language code as people say it; a code that no standard has stays one. */
export const languageName = (code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
