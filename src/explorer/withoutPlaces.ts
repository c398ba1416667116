/** A sentence for a browser, with the home's files by their names below it. */
export const withoutHome = (sentence: string, root: string): string =>
  sentence.replaceAll(`${root}/`, "").replaceAll(root, "the home")

/** As {@link withoutHome}, and of other files the last name alone. */
export const withoutPlaces = (sentence: string, root: string): string =>
  withoutHome(sentence, root).replaceAll(/(?<=^|[\s"'(])\/(?:[^\s"'()/]+\/)+/g, "")
