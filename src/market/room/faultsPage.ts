import { Effect } from "effect"
import { html, type Html } from "../../desk/pages/html.ts"
import type { FaultPlan } from "../faults/FaultPlan.ts"
import { Faults } from "../faults/Faults.ts"
import { callButton, callList, live, rowsTable, type PageOf } from "./RoomPage.ts"
import { knownChoices, operationForm } from "./operationForm.ts"

const path = "/sandbox/faults"

const ruleTable = (plan: FaultPlan, injected: ReadonlyMap<string, number>): Html => {
  const rules = plan.rules ?? []
  return rowsTable({
    caption: "Rules of the plan",
    heads: ["kind", "endpoint", "rule", "happened", ""],
    rows: rules.map((rule, at) => [
      rule.kind,
      rule.endpoint ?? "*",
      html`<code>${JSON.stringify(rule)}</code>`,
      injected.get(rule.kind) ?? 0,
      callButton("Remove", { method: "PUT", path, body: { ...plan, rules: rules.filter((_, each) => each !== at) } })
    ]),
    empty: "The plan has no rules: nothing goes wrong, and requests are only counted."
  })
}

export const faultsPage: PageOf = Effect.fnUntraced(function* () {
  const { isOn, ledger, plan } = yield* Faults
  const { injected, requests } = ledger()
  const counted = [...requests().values()].reduce((sum, count) => sum + count, 0)
  const on = isOn()
  const addForm = operationForm("replaceFaults", {
    label: "Add a rule",
    into: "rules",
    fixed: { rules: [], ...plan() },
    values: { kind: "server-error", endpoint: "*" },
    choices: yield* knownChoices
  })
  const rules = JSON.stringify(plan().rules ?? [], null, 2)
  return {
    title: "Faults",
    says: "What goes wrong on request. A rule without a share strikes every request; a new plan is on, and counts from 0.",
    body: html`${live("state", [
        html`<p>Faults are <b>${on ? "on" : "off"}</b>. ${counted} requests came while this plan was on.</p>`,
        callList([[on ? "Switch off" : "Switch on", { method: "PATCH", path, body: { on: !on } }]]),
        ruleTable(plan(), new Map(Object.entries(injected().counts)))
      ])}
      ${live("rule", addForm)}
      <h2>The whole plan</h2>
      ${live("plan", operationForm("replaceFaults", { label: "Replace", values: { ...plan(), rules } }))}`
  }
})
