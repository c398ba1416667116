-- Prices of products in the catalogue; the others are counted in drift.
-- reads: own_rows, batch_products
select p.* from own_rows p semi join batch_products b on b.product_id = p.product_id
