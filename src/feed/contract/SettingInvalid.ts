import { Runtime, Schema } from "effect"

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

  override get message() {
    if (this.flag !== undefined) return `${this.flag} ${this.what}. Correct it and run this again`
    const where = readFromFile(this.name) ? "the environment or in .env" : "the environment"
    return `${this.name} ${this.what}. Set it in ${where}, then check with: cardlake doctor`
  }
}
