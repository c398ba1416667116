import { Runtime, Schema } from "effect"

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
    return `${this.name} ${this.what}. Set it in the environment or in .env, then check with: cardlake doctor`
  }
}
