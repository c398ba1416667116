import { Runtime, Schema } from "effect"
import { checkedByDoctor, messageText, withoutCommand } from "./ErrorParts.ts"

/** True if a `.env` may set it: it is a setting of the lake, and no address that only a machine or a person has. */
export const readFromFile = (name: string): boolean => /^CARDLAKE_(?!NOTIFY$|CLUSTER$)/.test(name)

/** A setting is missing or cannot be used; the value itself is never shown. */
export class SettingInvalid extends Schema.TaggedError<SettingInvalid>()("SettingInvalid", {
  name: Schema.String,
  what: Schema.String,
  /** The flag that it came from; absent if it came from the environment or `.env`. */
  flag: Schema.optionalKey(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = this.flag === undefined ? 1 : 2

  get parts() {
    if (this.flag !== undefined) return withoutCommand(`${this.flag} ${this.what}`, "Correct it and run this again")
    const where = readFromFile(this.name) ? "the environment or in .env" : "the environment"
    return checkedByDoctor(`${this.name} ${this.what}`, `Set it in ${where}`, ", then check with")
  }

  override get message() {
    return messageText(this.parts)
  }
}

/** Returns the reason that an address is invalid, with the valid form; else null. It repeats no part of it. */
export const webAddressFault = (text: string): string | null => {
  const url = URL.parse(text)
  if (url !== null && (url.username !== "" || url.password !== ""))
    return "contains a user or a password, which is never sent"
  if (/[\s\p{C}]/u.test(text.trim())) return "has a space or an invisible character. Write it as %XX, or leave it out"
  if (/%(?![\da-f]{2})/i.test(text)) return "has an invalid % escape. Write % as %25"
  if (url === null || !/^https?:\/\/[^/?#\\%]+([/?#]|$)/i.test(text.trim()))
    return "is not an address that begins with http:// or https://"
  return null
}
