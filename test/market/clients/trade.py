"""The scenario of every generated client: reads nulls, writes, filters by metadata, and reads a refusal. For openapi-generator."""

import sys
from openapi_client import ApiClient, Configuration, ChangeMetadata, CreateLabel, RefundRequest
from openapi_client import AccountApi, InventoryApi, LabelsApi, PurchasesApi, SalesApi
from openapi_client.exceptions import ApiException

url, seller_key, buyer_key = sys.argv[1:4]
seller = ApiClient(Configuration(host=url, access_token=seller_key))
purchases = PurchasesApi(ApiClient(Configuration(host=url, access_token=buyer_key)))
me = AccountApi(seller).account_me()
lines = InventoryApi(seller).inventory_lines(limit=100, for_sale=True).data
raw = [line for line in lines if line.graded is None and line.listing.listing_id]
tag = LabelsApi(seller).labels_create_tag(CreateLabel(name="python", upsert=True))
orders = [purchases.purchases_purchase(each.order_number) for each in purchases.purchases_purchases(limit=100).data]
unshipped = [order for order in orders if order.shipping is None]
sales = SalesApi(seller)
first = sales.sales_sales(limit=1, status=["pending_shipment"]).data[0].order_number
sales.sales_change_metadata(first, ChangeMetadata(metadata={"channel": "python"}))
found = sales.sales_sales(metadata={"channel": "python"}).data
code = ""
try:
    sales.sales_refund_sale(first, RefundRequest(amount=9999.99))
except ApiException as refused:
    code = f"{refused.status} {refused.data.actual_instance.code}" if hasattr(refused.data, "actual_instance") else str(refused.body)
channel = [sale.metadata["channel"] for sale in found]
print(me.seller.currency.value, "raw" if raw else "", tag.name, "unshipped" if unshipped else "", *channel, code)
