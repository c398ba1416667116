import java.util.List;
import java.util.Map;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** The scenario of `trade.py`, for both Java clients of openapi-generator. `Setup` makes a client of either. */
public class Trade {
  public static void main(String[] args) throws Exception {
    ApiClient seller = Setup.client(args[0], args[1]);
    ApiClient buyer = Setup.client(args[0], args[2]);
    Account me = new AccountApi(seller).accountMe();
    List<InventoryLine> lines = new InventoryApi(seller).inventoryLines(100, null, null, null, true, null, null, null,
        null, null, null, null, null, null, null).getData();
    long raw = lines.stream().filter(line -> line.getGraded() == null && line.getListing().getListingId() != null).count();
    Label tag = new LabelsApi(seller).labelsCreateTag(new CreateLabel().name("java").upsert(true), null);
    PurchasesApi purchases = new PurchasesApi(buyer);
    int unshipped = 0;
    for (Purchase each : purchases.purchasesPurchases(100, null, null, null, null).getData())
      if (purchases.purchasesPurchase(each.getOrderNumber()).getShipping() == null) unshipped++;
    SalesApi sales = new SalesApi(seller);
    String first = sales.salesSales(1, null, List.of(OrderStatus.PENDING_SHIPMENT), null, null, null).getData().get(0)
        .getOrderNumber();
    SaleDetail sale = sales.salesChangeMetadata(first, new ChangeMetadata().metadata(Map.of("channel", "java")), null);
    String code = "";
    try {
      sales.salesRefundSale(first, new RefundRequest().amount(9999.99), null);
    } catch (ApiException refused) {
      code = refused.getCode() + (refused.getResponseBody().contains("AMOUNT_TOO_HIGH") ? " AMOUNT_TOO_HIGH" : "");
    }
    System.out.println(String.join(" ", me.getSeller().getCurrency().toString(), raw > 0 ? "raw" : "", tag.getName(),
        unshipped > 0 ? "unshipped" : "", sale.getMetadata().get("channel"), code));
  }
}
