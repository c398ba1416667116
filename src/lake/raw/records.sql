-- The contract's records as DuckDB types: what read_json takes from a page. Spec: Resources and their fields.
-- Figures are staged with six places: JSON numbers pass through a double, and six places undo that exactly (up to nine billion).
-- Percentages stay what they came as until they are rounded.

create type depth as struct(low decimal(18, 6), "listingCount" bigint, "availableQuantity" bigint);

create type condition_depth as struct(
  low decimal(18, 6), "listingCount" bigint, "availableQuantity" bigint, "byLanguage" map(varchar, depth)
);

create type source_block as struct(
  currency varchar, low decimal(18, 6), mid decimal(18, 6), high decimal(18, 6), "marketValue" decimal(18, 6),
  change24h double, change7d double, change30d double, "byCondition" map(varchar, condition_depth),
  extra json
);

create type region_block as struct(
  currency varchar, low decimal(18, 6), "listingCount" bigint, "availableQuantity" bigint,
  "byCondition" map(varchar, condition_depth), extra json
);

create type marketplace_block as struct(
  low struct(amount decimal(18, 6), currency varchar), "listingCount" bigint, "availableQuantity" bigint,
  regions map(varchar, region_block), extra json
);

create type price_blocks as struct("sourceEur" source_block, "sourceUsd" source_block, marketplace marketplace_block);

create type finish_id as struct(finish varchar, id bigint);

create type raw_product as struct(
  id bigint, "gameId" varchar, "pricesByFinish" map(varchar, price_blocks), prices price_blocks, "priceExtra" json,
  -- the others are hashed in this order
  "productType" varchar, "productCategory" varchar, name varchar, "nameSlug" varchar, languages varchar[], finishes varchar[],
  "expansionId" bigint,
  expansion struct(id bigint, code varchar, name varchar, "symbolUrl" varchar),
  "externalIds" struct(
    "sourceEur" finish_id[], "sourceUsd" finish_id[], "mtgId" varchar, "mtgOracleId" varchar, "konamiStyleId" varchar,
    "lorcanaId" varchar, "fabId" varchar, "riftboundId" varchar
  ),
  "printNumber" varchar, variant varchar, rarity varchar, "imageUrl" varchar, "imageBackUrl" varchar, "releaseDate" varchar,
  attributes json, extra json, availability json
);

create type raw_expansion as struct(
  id bigint, slug varchar, name varchar, code varchar, languages varchar[], "releaseDate" varchar,
  "cardCount" bigint, "sealedProductCount" bigint, "logoUrl" varchar, "symbolUrl" varchar, attributes json, extra json
);

create type raw_game as struct(
  id varchar, name varchar, "releaseDate" varchar, "cardCount" bigint, "sealedProductCount" bigint, "logoUrl" varchar,
  extra json
);

create type changed_items as struct(
  added struct(slug varchar, id bigint)[], modified struct(slug varchar, id bigint)[], removed struct(slug varchar, id bigint)[]
);

create type change_counts as struct(added bigint, modified bigint, removed bigint);

create type raw_deployment as struct(
  id varchar, "deployedAt" timestamptz, summary struct(products change_counts, expansions change_counts),
  changes struct(products changed_items, expansions changed_items), extra json
);
