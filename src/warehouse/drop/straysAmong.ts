/** The folders of a path, from the outside in: `a/b/c.txt` is in `a/` and `a/b/`; `a/b/` is a folder itself. */
const foldersOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

/**
 * Paths that nothing knows; where a whole folder is unknown, only the folder, with a slash. The folders of `known`
 * are known, even if the file itself is gone.
 */
export const straysAmong = (
  paths: ReadonlyArray<string>,
  known: Iterable<string>,
  isKnown: (path: string) => boolean
): ReadonlyArray<string> => {
  const needed = new Set([...known].flatMap(foldersOf))
  const unknown: Array<string> = []
  for (const path of paths) {
    if (!isKnown(path)) unknown.push(path)
    else for (const folder of foldersOf(path)) needed.add(folder)
  }
  const strays = unknown
    .filter((path) => !needed.has(path))
    .map((path) => foldersOf(path).find((folder) => !needed.has(folder)) ?? path)
  return [...new Set(strays)].sort()
}
