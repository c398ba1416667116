/** What an image is by its first bytes; null = none of those that a browser may get from here. An SVG may run scripts, so it is none. */
export const imageType = (bytes: Uint8Array): string | null => {
  const begins = (at: number, ...signs: ReadonlyArray<number>) =>
    signs.every((sign, place) => bytes[at + place] === sign)
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png"
  if (begins(0, 0xff, 0xd8, 0xff)) return "image/jpeg"
  return begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50) ? "image/webp" : null
}
