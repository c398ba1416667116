import type * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"

export interface Described<Name extends string> {
  readonly name: Name
  readonly description: string
  readonly examples?: ReadonlyArray<readonly [command: string, description: string]>
}

/** A command without its handler. */
export interface Spec<Name extends string, Flags extends Command.Command.Config> extends Described<Name> {
  readonly flags: Flags
}

/** `Input` is never set: it names the type of what the handler gets. */
export const spec = <const Name extends string, const Flags extends Command.Command.Config>(
  described: Spec<Name, Flags>
) => described as Spec<Name, Flags> & { readonly Input: Given<Flags> }

/** Values of a command's flags and arguments; null if not given. */
export type Given<Flags extends Command.Command.Config> = {
  readonly [Name in keyof Command.Command.Config.Infer<Flags>]: OrNull<Command.Command.Config.Infer<Flags>[Name]>
}
type OrNull<A> = A extends Option.Option<infer Value> ? Value | null : A
