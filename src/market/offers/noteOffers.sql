-- Says of every product whose listings a write changes that they moved. Not kept: each start makes these triggers again.
create temp trigger offer_added after insert on inventory_lines
when new.price_cents is not null
begin
  select offers_moved(new.product_id);
end;

create temp trigger offer_changed after update on inventory_lines
when old.price_cents is not null or new.price_cents is not null
begin
  select offers_moved(new.product_id);
  select offers_moved(old.product_id);
end;

create temp trigger offer_removed after delete on inventory_lines
when old.price_cents is not null
begin
  select offers_moved(old.product_id);
end;

create temp trigger seller_changed after update of country, seller_currency, seller_stage, seller_status on accounts
begin
  select offers_moved(product_id) from inventory_lines where account_id = new.id and price_cents is not null;
end;
