/** A sentence for a browser, with paths relative to the home. */
export const withoutHome = (sentence: string, root: string): string =>
  sentence.replaceAll(`${root}/`, "").replaceAll(root, "the home")

/** As {@link withoutHome}, and other files by their last name only. */
export const withoutPaths = (sentence: string, root: string): string =>
  withoutHome(sentence, root).replaceAll(/(?<=^|[\s"'(])\/(?:[^\s"'()/]+\/)+/g, "")
