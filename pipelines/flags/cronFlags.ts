import * as Flag from "effect/cli/Flag"
import { explainCron, isZone } from "../settings/readSchedule.ts"

export const cron = Flag.String("cron").pipe(
  Flag.withMetavar("EXPRESSION"),
  Flag.withDescription(
    'When to run, as five fields: minute hour day month weekday; "0 3 * * *" is every night at three'
  ),
  Flag.filter(
    (text) => explainCron(text) === null,
    (text) => explainCron(text) ?? ""
  )
)

export const zone = (description: string) =>
  Flag.String("tz").pipe(
    Flag.withMetavar("ZONE"),
    Flag.withDescription(description),
    Flag.filter(isZone, () => "Expected the name of a time zone, such as Europe/Zurich or UTC")
  )
export const tz = zone("Time zone of --cron, such as Europe/Zurich; default: UTC").pipe(Flag.withDefault("UTC"))
