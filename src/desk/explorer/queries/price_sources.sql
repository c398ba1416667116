-- Display names and home pages of the values of column source; only https addresses, because a page links to them.
select source, title, if(starts_with(url, 'https://'), url, null) as url
from price_sources;
