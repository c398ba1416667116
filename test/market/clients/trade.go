// The scenario of trade.py, for openapi-generator.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func client(key string) *api.APIClient {
	settings := api.NewConfiguration()
	settings.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	settings.AddDefaultHeader("Authorization", "Bearer "+key)
	return api.NewAPIClient(settings)
}

func must[A any, B any](value A, _ B, err error) A {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	seller, buyer := client(os.Args[2]), client(os.Args[3])
	me := must(seller.AccountAPI.AccountMe(ctx).Execute())
	words := []string{string(me.Seller.Get().Currency)}
	for _, line := range must(seller.InventoryAPI.InventoryLines(ctx).Limit(100).ForSale(true).Execute()).Data {
		if line.Graded.Get() == nil && line.Listing.Get().ListingId != nil {
			words = append(words, "raw")
			break
		}
	}
	label := api.NewCreateLabel("go")
	label.SetUpsert(true)
	words = append(words, must(seller.LabelsAPI.LabelsCreateTag(ctx).CreateLabel(*label).Execute()).Name)
	for _, each := range must(buyer.PurchasesAPI.PurchasesPurchases(ctx).Limit(100).Execute()).Data {
		if must(buyer.PurchasesAPI.PurchasesPurchase(ctx, each.OrderNumber).Execute()).Shipping.Get() == nil {
			words = append(words, "unshipped")
			break
		}
	}
	pending := []api.OrderStatus{"pending_shipment"}
	first := must(seller.SalesAPI.SalesSales(ctx).Limit(1).Status(pending).Execute()).Data[0].OrderNumber
	channel := "go"
	change := api.NewChangeMetadata(map[string]*string{"channel": &channel})
	must(seller.SalesAPI.SalesChangeMetadata(ctx, first).ChangeMetadata(*change).Execute())
	filter := api.NewMetadataFilter()
	filter.SetChannel(channel)
	for _, sale := range must(seller.SalesAPI.SalesSales(ctx).Metadata(*filter).Execute()).Data {
		words = append(words, sale.Metadata["channel"])
	}
	_, response, err := seller.SalesAPI.SalesRefundSale(ctx, first).RefundRequest(*api.NewRefundRequest(9999.99)).Execute()
	body := string(err.(*api.GenericOpenAPIError).Body())
	code := ""
	if strings.Contains(body, "AMOUNT_TOO_HIGH") {
		code = "AMOUNT_TOO_HIGH"
	}
	fmt.Println(strings.Join(words, " "), response.StatusCode, code)
}
