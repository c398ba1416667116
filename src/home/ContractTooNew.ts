import { Effect, Schema } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { contractVersion } from "../schema/snapshotTables.ts"

/** A later version of Cardlake wrote a snapshot or a month: this one would lose what it does not know. */
export class ContractTooNew extends Schema.TaggedError<ContractTooNew>()("ContractTooNew", {
  file: Schema.String,
  contractVersion: Schema.Int
}) {
  override get message() {
    return `${this.file} has contract version ${this.contractVersion}, and Cardlake ${packageJson.version} reads homes up to version ${contractVersion}. Update Cardlake, or choose another home with CARDLAKE_HOME or --home`
  }
}

/** Fails with {@link ContractTooNew} for what a later version wrote. */
export const knownContract = (file: string, version: number): Effect.Effect<void, ContractTooNew> =>
  version > contractVersion ? Effect.fail(new ContractTooNew({ file, contractVersion: version })) : Effect.void
