import { Effect } from "effect"
import { html, type Html } from "../../desk/pages/html.ts"
import { FaultEndpoint, type FaultPlan, ruleOfKind } from "../faults/FaultPlan.ts"
import { Faults } from "../faults/Faults.ts"
import { bodyForm, callButton, callForm, callList, live, rowsTable, type PageOf } from "./RoomPage.ts"

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

const addForm = (plan: FaultPlan): Html =>
  callForm({
    label: "Add a rule",
    method: "PUT",
    path,
    body: { ...plan, rules: plan.rules ?? [] },
    into: "rules",
    fields: [
      {
        kind: "choice",
        name: "kind",
        label: "Kind",
        value: "server-error",
        options: [...ruleOfKind.keys()].map((kind) => [kind, kind] as const)
      },
      {
        kind: "choice",
        name: "endpoint",
        label: "Endpoint",
        value: "*",
        options: FaultEndpoint.literals.map((each) => [each, each] as const)
      },
      { kind: "number", name: "rate", label: "Share of requests, 0 to 1", value: null, step: "0.01" },
      { kind: "number", name: "times", label: "How often at most", value: null }
    ]
  })

/** What goes wrong, on request. */
export const faultsPage: PageOf = Effect.fnUntraced(function* () {
  const { isOn, ledger, plan } = yield* Faults
  const { injected, requests } = ledger()
  const counted = [...requests().values()].reduce((sum, count) => sum + count, 0)
  const on = isOn()
  return {
    title: "Faults",
    says: "What goes wrong on request. A rule without a share strikes every request; a new plan is on, and counts from 0.",
    body: html`${live("state", [
        html`<p>Faults are <b>${on ? "on" : "off"}</b>. ${counted} requests came while this plan was on.</p>`,
        callList([[on ? "Switch off" : "Switch on", { method: "PATCH", path, body: { on: !on } }]]),
        ruleTable(plan(), new Map(Object.entries(injected().counts)))
      ])}
      ${live("rule", addForm(plan()))}
      <h2>The whole plan</h2>
      ${live("plan", bodyForm("Replace", { method: "PUT", path, body: plan() }))}`
  }
})
