import { Config, Context, Effect, Layer, Schema } from "effect"
import { SettingInvalid } from "../../../feed/contract/SettingInvalid.ts"

const setting = <A>(name: string, config: Config.Config<A>, what: string) =>
  Effect.mapError(config, () => new SettingInvalid({ name, what }))

const names = { encryption: "CARDLAKE_S3_ENCRYPTION", pathStyle: "CARDLAKE_S3_PATH_STYLE" }

export const pathStyleSetting = setting(
  names.pathStyle,
  Config.Boolean(names.pathStyle).pipe(Config.withDefault(false)),
  "is neither true nor false"
)

export const encryptionSetting = setting(
  names.encryption,
  Config.schema(Schema.String.check(Schema.isPattern(/^(AES256|aws:kms(:.+)?)?$/)), names.encryption).pipe(
    Config.withDefault("")
  ),
  "is not AES256, aws:kms or aws:kms:KEY"
)

const encryptionOf = (text: string): BucketSettings["Service"]["encryption"] => {
  if (text === "") return {}
  if (text === "AES256") return { ServerSideEncryption: "AES256" }
  const key = text.slice("aws:kms:".length)
  return { ServerSideEncryption: "aws:kms", ...(key === "" ? {} : { SSEKMSKeyId: key }) }
}

/**
 * Settings beyond those of the AWS SDK (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`, keys, profiles, roles). Reads
 * `CARDLAKE_S3_PATH_STYLE` (for MinIO, Ceph and the like) and `CARDLAKE_S3_ENCRYPTION` (`AES256`, `aws:kms` or
 * `aws:kms:KEY`).
 */
export class BucketSettings extends Context.Service<
  BucketSettings,
  {
    readonly pathStyle: boolean
    /** The encryption of every object; empty for the bucket's default. */
    readonly encryption: { readonly ServerSideEncryption?: "AES256" | "aws:kms"; readonly SSEKMSKeyId?: string }
  }
>()("cardlake/home/BucketSettings") {
  static readonly layer = Layer.effect(
    BucketSettings,
    Effect.gen(function* () {
      return BucketSettings.of({
        pathStyle: yield* pathStyleSetting,
        encryption: encryptionOf(yield* encryptionSetting)
      })
    })
  )
}
