-- Whom the words of column source stand for: what people call them, and their home pages, which nothing but a page of the web may be.
select source, title, if(starts_with(url, 'https://'), url, null) as url
from price_sources;
