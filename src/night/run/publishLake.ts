import { Effect } from "effect"
import { refreshFront } from "../../store/lake/front/publishFront.ts"
import { publish } from "../../store/lake/publish/publish.ts"

export const publishLake = (...args: Parameters<typeof publish>) => Effect.andThen(publish(...args), refreshFront)
