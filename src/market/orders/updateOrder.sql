-- Everything of an order that can change.
update orders set
  status = :status, updated_at = :updated_at, shipped_at = :shipped_at, delivered_at = :delivered_at,
  completed_at = :completed_at, refunded_cents = :refunded_cents, buyer_refunded_cents = :buyer_refunded_cents,
  refund_due_millis = :refund_due_millis, refunded_at = :refunded_at, payout_eligible_at = :payout_eligible_at,
  paid_out_at = :paid_out_at, tracking_number = :tracking_number, tracking_url = :tracking_url, carrier = :carrier,
  metadata = :metadata, cancelled_at = :cancelled_at, cancelled_by = :cancelled_by, cancel_reason = :cancel_reason,
  cancel_reason_text = :cancel_reason_text, due_at_millis = :due_at_millis
where number = :number
