import { Context } from "effect"
import { type FaultLedger, makeFaultLedger } from "./FaultLedger.ts"
import type { FaultPlan } from "./FaultPlan.ts"

/** Which plan holds, whether it is on, and what it did; the control routes change it. */
export class Faults extends Context.Service<
  Faults,
  {
    readonly isOn: () => boolean
    readonly plan: () => FaultPlan
    /** What the plan counted so far. */
    readonly ledger: () => FaultLedger
    /** The same while faults are on; else requests pass, uncounted. */
    readonly current: () => FaultLedger | undefined
    /** Another plan, which is on and has counted nothing. */
    readonly replace: (plan: FaultPlan) => void
    readonly turn: (isOn: boolean) => void
  }
>()("cardlake/sandbox/Faults") {}

/** Without a plan they are off. */
export const makeFaults = (atStart: FaultPlan | undefined): Faults["Service"] => {
  let isOn = atStart !== undefined
  let plan = atStart ?? {}
  let ledger = makeFaultLedger(plan)
  return {
    isOn: () => isOn,
    plan: () => plan,
    ledger: () => ledger,
    current: () => (isOn ? ledger : undefined),
    replace: (other) => {
      plan = other
      ledger = makeFaultLedger(other)
      isOn = true
    },
    turn: (on) => {
      isOn = on
    }
  }
}
