/** A message without the advice to run `cardlake doctor`, for those who are running it. `doctor --repair` is another command. */
export const withoutDoctor = (message: string): string =>
  message
    .replace(/See [\w ]+ with: cardlake doctor$/, "Check CARDLAKE_URL")
    .replace(/(?:[,;] then (?:check with|try|look again with)| with): cardlake doctor$/, "")
