// The scenario of trade.py, for oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"trade/api"
)

func client(key string) *api.ClientWithResponses {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	made, err := api.NewClientWithResponses(os.Args[1], api.WithRequestEditorFn(withKey))
	return must(made, err)
}

func must[A any](value A, err error) A {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	seller, buyer := client(os.Args[2]), client(os.Args[3])
	limit, yes, channel := 100, true, "codegen"
	me := must(seller.AccountMeWithResponse(ctx)).JSON200
	words := []string{string(me.Seller.Currency)}
	params := &api.InventoryLinesParams{Limit: &limit, ForSale: &yes}
	for _, line := range must(seller.InventoryLinesWithResponse(ctx, params)).JSON200.Data {
		if line.Graded == nil && line.Listing.ListingId != nil {
			words = append(words, "raw")
			break
		}
	}
	label := api.CreateLabel{Name: channel, Upsert: &yes}
	words = append(words, must(seller.LabelsCreateTagWithResponse(ctx, nil, label)).JSON200.Name)
	for _, each := range must(buyer.PurchasesPurchasesWithResponse(ctx, &api.PurchasesPurchasesParams{})).JSON200.Data {
		if must(buyer.PurchasesPurchaseWithResponse(ctx, each.OrderNumber)).JSON200.Shipping == nil {
			words = append(words, "unshipped")
			break
		}
	}
	pending := &api.SalesSalesParams{Status: &[]api.OrderStatus{"pending_shipment"}}
	first := must(seller.SalesSalesWithResponse(ctx, pending)).JSON200.Data[0].OrderNumber
	change := api.ChangeMetadata{Metadata: api.MetadataChange{"channel": &channel}}
	must(seller.SalesChangeMetadataWithResponse(ctx, first, nil, change))
	filter := &api.SalesSalesParams{Metadata: &api.MetadataFilter{Channel: &channel}}
	for _, sale := range must(seller.SalesSalesWithResponse(ctx, filter)).JSON200.Data {
		words = append(words, sale.Metadata["channel"])
	}
	refused := must(seller.SalesRefundSaleWithResponse(ctx, first, nil, api.RefundRequest{Amount: 9999.99}))
	code := must(refused.JSON409.AsAmountTooHigh()).Code
	var event api.WebhooksOrderCreatedJSONRequestBody
	event.Data.OrderNumber = first
	fmt.Println(strings.Join(words, " "), refused.StatusCode(), code)
}
