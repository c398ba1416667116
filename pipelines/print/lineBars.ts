import cliProgress from "cli-progress"
import { barsBelow, keepBelow } from "./besideBars.ts"

/** Bars whose text is a line that is made elsewhere: `create(1, 0, { line })`. They stay where they end. */
export const lineBars = (stream: NodeJS.WriteStream): cliProgress.MultiBar =>
  keepBelow(
    new cliProgress.MultiBar({
      ...barsBelow,
      stream,
      clearOnComplete: false,
      format: (_options, _params, { line }: { readonly line: string }) => line
    })
  )
