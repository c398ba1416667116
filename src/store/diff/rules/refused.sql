-- One row per path and reason for which records were refused, the most frequent first. Reads schema after
select path, reason, count(*) as records from after.refusals group by all order by records desc, path;
