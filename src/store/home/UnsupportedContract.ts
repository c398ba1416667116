import { Effect, Schema } from "effect"
import packageJson from "../../../package.json" with { type: "json" }
import { contractVersion } from "../../feed/schema/snapshotTables.ts"
import { firstContract } from "../../feed/schema/tableFile.ts"

/** A document of the home that this version does not read: a later version wrote it, or one before the first release. */
export class UnsupportedContract extends Schema.TaggedError<UnsupportedContract>()("UnsupportedContract", {
  file: Schema.String,
  /** Null: no contract version says so, but the document has a word that this version does not know. */
  contractVersion: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    const { contractVersion: version, file } = this
    const program = `Cardlake ${packageJson.version}`
    const next = "choose another home with CARDLAKE_HOME or --home"
    if (version === null)
      return `${file} was written by a later version of Cardlake, and has what ${program} does not know. Update Cardlake, or ${next}`
    const has = `${file} has contract version ${version}, and ${program} reads homes`
    return version < firstContract
      ? `${has} from version ${firstContract} on. To begin a new one, ${next}`
      : `${has} up to version ${contractVersion}. Update Cardlake, or ${next}`
  }
}

/** Fails with {@link UnsupportedContract} for a version that is not read. */
export const knownContract = (file: string, version: number): Effect.Effect<void, UnsupportedContract> =>
  version < firstContract || version > contractVersion
    ? Effect.fail(new UnsupportedContract({ file, contractVersion: version }))
    : Effect.void
