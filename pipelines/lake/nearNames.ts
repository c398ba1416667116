/** How many letters have to be put in, taken out, replaced or swapped to make one text of the other. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (rows[i - 1]?.[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (rows[i - 1]?.[j - 1] ?? 0) + same,
          isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** Up to three names that somebody may have meant: a third of their letters differ at most, or they have the word. */
export const nearNames = (asked: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const word = asked.toLowerCase()
  return names
    .map((name) => ({ name, letters: distance(word, name) }))
    .filter(({ letters, name }) => letters <= name.length / 3 || (word.length > 2 && name.includes(word)))
    .toSorted((a, b) => a.letters - b.letters)
    .slice(0, 3)
    .map(({ name }) => name)
}
