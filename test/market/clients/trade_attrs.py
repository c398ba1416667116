"""The scenario of `trade.py`, for openapi-python-client. It sends a filter's keys as they are, so they have brackets."""

import sys
from trading_card_marketplace_client import AuthenticatedClient
from trading_card_marketplace_client.api.account import account_me
from trading_card_marketplace_client.api.inventory import inventory_lines
from trading_card_marketplace_client.api.labels import labels_create_tag
from trading_card_marketplace_client.api.purchases import purchases_purchase, purchases_purchases
from trading_card_marketplace_client.api.sales import sales_change_metadata, sales_refund_sale, sales_sales
from trading_card_marketplace_client.models import ChangeMetadata, CreateLabel, MetadataChange, MetadataFilter
from trading_card_marketplace_client.models import OrderStatus, RefundRequest

url, seller_key, buyer_key = sys.argv[1:4]
seller = AuthenticatedClient(base_url=url, token=seller_key)
buyer = AuthenticatedClient(base_url=url, token=buyer_key)
me = account_me.sync(client=seller)
lines = inventory_lines.sync(client=seller, limit=100, for_sale=True).data
raw = [line for line in lines if line.graded is None and line.listing.listing_id]
tag = labels_create_tag.sync(client=seller, body=CreateLabel(name="attrs", upsert=True))
orders = [
    purchases_purchase.sync(each.order_number, client=buyer)
    for each in purchases_purchases.sync(client=buyer, limit=100).data
]
unshipped = [order for order in orders if order.shipping is None]
first = sales_sales.sync(client=seller, limit=1, status=[OrderStatus.PENDING_SHIPMENT]).data[0].order_number
change = ChangeMetadata(metadata=MetadataChange.from_dict({"channel": "attrs"}))
sales_change_metadata.sync(first, client=seller, body=change)
pairs = MetadataFilter.from_dict({"metadata[channel]": "attrs"})
channel = [sale.metadata["channel"] for sale in sales_sales.sync(client=seller, metadata=pairs).data]
refused = sales_refund_sale.sync_detailed(first, client=seller, body=RefundRequest(amount=9999.99))
code = f"{refused.status_code.value} {refused.parsed.code}"
print(me.seller.currency, "raw" if raw else "", tag.name, "unshipped" if unshipped else "", *channel, code)
