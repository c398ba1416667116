-- How many findings of each kind there are.
-- reads: findings
select kind, count(*) as findings from findings group by kind order by kind;
