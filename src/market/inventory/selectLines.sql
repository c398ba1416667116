-- grain: one row per line, with the names of its location and tags
select
  line.*,
  account.seller_currency as currency,
  (select name from labels where labels.id = line.location_id) as location,
  (
    select json_group_array(name)
    from (
      select labels.name
      from line_tags join labels on labels.id = line_tags.tag_id
      where line_tags.line_id = line.id
      order by labels.name_key
    )
  ) as tags,
  (
    select json_group_array(json_object('fileId', file_id, 'width', width, 'height', height))
    from (select * from photos where photos.line_id = line.id order by place)
  ) as photos
from inventory_lines line join accounts account on account.id = line.account_id
