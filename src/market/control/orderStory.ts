import type { MarketEvent } from "../contract/events/MarketEvent.ts"
import type { Side } from "../orders/OrderRow.ts"
import type { Store } from "../state/Store.ts"

/** A status that an order got. */
export interface OrderStep {
  readonly at: string
  readonly status: string
  readonly reason: string | null
}

/** A message about an order; what it says is nowhere in the API. */
export interface OrderMessage {
  readonly messageId: string
  readonly sentAt: string
  readonly from: string
  readonly to: ReadonlyArray<Side>
  readonly hasAttachments: boolean
}

const told = `
select body from events
where type in ('order.status.changed', 'message.received')
  and coalesce(body ->> '$.data.orderNumber', body ->> '$.data.context.orderNumber') = :orderNumber
order by number`

/** What happened to an order and what was written about it, oldest first, as its events tell. */
export const orderStory = (store: Store, orderNumber: string) => {
  const steps: Array<OrderStep> = []
  const messages = new Map<string, OrderMessage>()
  for (const { body } of store.all<{ body: string }>(told, { orderNumber })) {
    const event = JSON.parse(body) as MarketEvent
    if (event.type === "order.status.changed" && event.recipientRole === "seller") {
      steps.push({ at: event.data.changedAt, status: event.data.status, reason: event.data.reason })
    }
    if (event.type !== "message.received") continue
    const { context, hasAttachments, messageId, sender, sentAt } = event.data
    const to = [...(messages.get(messageId)?.to ?? []), context.yourRole]
    messages.set(messageId, { messageId, sentAt, from: sender.username, to, hasAttachments })
  }
  return { steps, messages: [...messages.values()] }
}
