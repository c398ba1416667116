/** Why nothing can be sent to an address, with what would be right; null if it can. Repeats no part of it. */
export const webAddressFault = (text: string): string | null => {
  const url = URL.parse(text)
  if (url !== null && (url.username !== "" || url.password !== ""))
    return "contains a user or a password, which is never sent"
  if (/[\s\p{C}]/u.test(text.trim()))
    return "has a space or a character that nobody sees. Write it as %XX, or leave it out"
  if (/%(?![\da-f]{2})/i.test(text)) return "has a % that begins no %XX. Write % as %25"
  if (url === null || !/^https?:\/\/[^/?#\\%]+([/?#]|$)/i.test(text.trim()))
    return "is not an address that begins with http:// or https://"
  return null
}
