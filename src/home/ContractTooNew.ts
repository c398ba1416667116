import { Effect, Schema } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { contractVersion } from "../schema/snapshotTables.ts"

/** A later version of Cardlake wrote a document of the home: this one would lose what it does not know. */
export class ContractTooNew extends Schema.TaggedError<ContractTooNew>()("ContractTooNew", {
  file: Schema.String,
  /** Null: no contract version says so, but the document has a word that this version does not know. */
  contractVersion: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    const what =
      this.contractVersion === null
        ? `was written by a later version of Cardlake, and has what Cardlake ${packageJson.version} does not know`
        : `has contract version ${this.contractVersion}, and Cardlake ${packageJson.version} reads homes up to version ${contractVersion}`
    return `${this.file} ${what}. Update Cardlake, or choose another home with CARDLAKE_HOME or --home`
  }
}

/** Fails with {@link ContractTooNew} for what a later version wrote. */
export const knownContract = (file: string, version: number): Effect.Effect<void, ContractTooNew> =>
  version > contractVersion ? Effect.fail(new ContractTooNew({ file, contractVersion: version })) : Effect.void
