import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Command from "effect/cli/Command"
import { toSettings } from "./flags/sharedFlags.ts"
import { warnings } from "./print/standardError.ts"
import type { Described, Given, Spec } from "./specs/spec.ts"

const described = ({ description, examples = [] }: Described<string>) => {
  const shown = examples.map(([command, description]) => ({ command, description }))
  return <const Name extends string, Input, ContextInput, E, R>(
    command: Command.Command<Name, Input, ContextInput, E, R>
  ) => command.pipe(Command.withDescription(description), Command.withExamples(shown))
}

/** Replaces flags that were not given with null. */
const given = <Flags extends Command.Command.Config>(input: Command.Command.Config.Infer<Flags>) =>
  Record.map(input as Readonly<Record<string, unknown>>, (flag) =>
    Option.isOption(flag) ? Option.getOrNull(flag) : flag
  ) as Given<Flags>

type Load<Flags extends Command.Command.Config, E, R> = () => Promise<
  (input: Given<Flags>) => Effect.Effect<unknown, E, R>
>

/** A command with Effect's default logger, loaded when it runs: `--help` loads neither DuckDB nor HTTP. */
export const plainCommand = <const Name extends string, const Flags extends Command.Command.Config, E, R>(
  spec: Spec<Name, Flags>,
  load: Load<Flags, E, R>
) =>
  Command.make(spec.name, spec.flags, (input) =>
    Effect.promise(load).pipe(
      Effect.flatMap((handle) => Effect.asVoid(handle(given<Flags>(input)))),
      Effect.scoped
    )
  ).pipe(described(spec))

/** A plain command that logs each warning as a sentence on standard error. */
export const command = <const Name extends string, const Flags extends Command.Command.Config, E, R>(
  spec: Spec<Name, Flags>,
  load: Load<Flags, E, R>
) => Command.provide(plainCommand(spec, load), warnings)

export const group = <
  const Name extends string,
  const Commands extends readonly [Command.Command.Any, ...ReadonlyArray<Command.Command.Any>]
>(
  spec: Described<Name>,
  commands: Commands
) => Command.make(spec.name).pipe(described(spec), Command.withSubcommands(commands))

/** The services of a command that queries the lake, loaded when it runs. Some commands work without a lake. */
export const provideLake = (input: Parameters<typeof toSettings>[0], needsLake = true) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./settings/services.ts")),
      ({ lakeServices, lakeServicesIfAny }) => (needsLake ? lakeServices : lakeServicesIfAny)(toSettings(input))
    )
  )

/** A command with the services of {@link provideLake}. */
export const lakeCommand = <const Name extends string, const Flags extends Command.Command.Config, E, R>(
  spec: Spec<Name, Flags>,
  load: Load<Flags, E, R>,
  lake: (input: Given<Flags>) => ReturnType<typeof provideLake> = provideLake
) =>
  command(spec, load).pipe(Command.provide((input: Command.Command.Config.Infer<Flags>) => lake(given<Flags>(input))))
