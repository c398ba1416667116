import { Context } from "effect"

/** Where the home lies, if the folder at hand is only what a command needs of it; null: that folder is the home. */
export const HomeAddress = Context.Reference<string | null>("cardlake/home/HomeAddress", { defaultValue: () => null })
