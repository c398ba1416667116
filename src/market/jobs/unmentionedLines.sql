-- Lines from before the import that its file does not mention, after the line :after.
select *
from inventory_lines line
where
  account_id = :accountId
  and quantity > 0
  and id > :after
  and id < :jobId
  and not exists (select 1 from mentioned_lines where job_id = :jobId and line_id = line.id)
  and not exists (select 1 from spared_products where job_id = :jobId and product_id = line.product_id)
order by id
limit :most
