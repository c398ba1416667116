/** A pattern for a letter of a path in a result: plain, percent-encoded or JSON-escaped; slashes may be doubled. */
const spelled = (letter: string): string => {
  if (letter === "/") return String.raw`(?:\\{0,4}/|%2f)+`
  const encoded = Array.from(Buffer.from(letter), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
  return String.raw`(?:\\{0,4}${letter.replace(/[^\w\s]/, String.raw`\$&`)}|${encoded})`
}

const patterns = new Map<string, RegExp>()

/** Replaces paths in a sentence for a browser by paths relative to the home. */
export const withoutHome = (sentence: string, root: string): string => {
  const known = patterns.get(root) ?? new RegExp(`${Array.from(root, spelled).join("")}(${spelled("/")})?`, "gi")
  patterns.set(root, known)
  return sentence.replaceAll(known, (_, slash) => (slash === undefined ? "the home" : ""))
}

/** As {@link withoutHome}, and shortens other paths to the file name. */
export const withoutPaths = (sentence: string, root: string): string =>
  withoutHome(sentence, root).replaceAll(/(?<=^|[\s"'(])\/(?:[^\s"'()/]+\/)+/g, "")
