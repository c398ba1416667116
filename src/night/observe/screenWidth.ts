/** Columns of a terminal; null: the stream is a pipe or a file, which takes any width. */
export const screenWidth = (stream: NodeJS.WriteStream = process.stdout): number | null =>
  stream.isTTY && stream.columns > 0 ? stream.columns : null
