import type * as Command from "effect/cli/Command"

/** What the help of a command shows. */
export interface Described<Name extends string> {
  readonly name: Name
  readonly description: string
  readonly examples?: ReadonlyArray<readonly [command: string, description: string]>
}

/** A command without what it does. */
export interface Spec<Name extends string, Flags extends Command.Command.Config> extends Described<Name> {
  readonly flags: Flags
}

export const spec = <const Name extends string, const Flags extends Command.Command.Config>(
  described: Spec<Name, Flags>
) => described

/** The flags and arguments of a command as they were given. */
export type Asked<S extends { readonly flags: Command.Command.Config }> = Command.Command.Config.Infer<S["flags"]>
