-- Synonyms of different tools. All texts are compared as in a search: lower case, without accents and punctuation.

-- own_flag: whether a column is true, by a usual word for yes or by the given word
create or replace temp macro own_flag(said, word) as
  coalesce(regexp_matches(search.folded(said), '(^| )(1|true|yes|y|x|' || word || ')( |$)'), false);

-- own_finish_kind: standard, foil or etched; null = another word
create or replace temp macro own_finish_kind(finish) as case
  when finish in ('', 'normal', 'nonfoil', 'non foil', 'regular', 'standard', 'false', '0', 'no', 'n', 'none', 'unlimited') then 'standard'
  when contains(finish, 'etched') then 'etched'
  when regexp_matches(finish, '(^| )(foil|holo|holofoil|true|1|yes|y|x|f)( |$)') then 'foil'
end;

-- own_condition: NM, LP, MP, HP or DMG from a folded text, from American and European terms; spec: the presets of an inventory import
create or replace temp macro own_condition(folded) as case
  when regexp_matches(folded, '^(m|mt|mint|nm|near ?mint|unopened)( |$)') then 'NM'
  when regexp_matches(folded, '^(ex|excellent|lp|lightly ?played|light ?played|slightly ?played|sp|good lightly played)( |$)') then 'LP'
  when regexp_matches(folded, '^(gd|good|mp|moderately ?played)( |$)') then 'MP'
  when regexp_matches(folded, '^(pl|played|hp|heavily ?played)( |$)') then 'HP'
  when regexp_matches(folded, '^(po|poor|dmg|damaged|d)( |$)') then 'DMG'
end;

-- own_languages: language codes by the names that tools use: in English, in the language, in another language, another kind of code, or a
-- number of the EUR source. It is a variable, because a macro would expand it at every call
set variable own_languages = map {
  'english': 'en', 'french': 'fr', 'german': 'de', 'deutsch': 'de', 'spanish': 'es', 'italian': 'it', 'portuguese': 'pt',
  'japanese': 'ja', 'korean': 'ko', 'russian': 'ru', 'phyrexian': 'ph', 'latin': 'la', 'hebrew': 'he', 'arabic': 'ar', 'sanskrit': 'sa',
  'ancient greek': 'grc', 'jp': 'ja', 'kr': 'ko', 'sp': 'es', 'ge': 'de', 'pt br': 'pt', 'portuguese brazil': 'pt',
  'chinese': 'zh-Hans', 'simplified chinese': 'zh-Hans', 'chinese simplified': 'zh-Hans', 's chinese': 'zh-Hans', 'cs': 'zh-Hans', 'cn': 'zh-Hans',
  'zhs': 'zh-Hans', 'zh cn': 'zh-Hans', 'zh hans': 'zh-Hans', 'traditional chinese': 'zh-Hant', 'chinese traditional': 'zh-Hant',
  't chinese': 'zh-Hant', 'ct': 'zh-Hant', 'tw': 'zh-Hant', 'zht': 'zh-Hant', 'zh tw': 'zh-Hant', 'zh hant': 'zh-Hant',
  'anglais': 'en', 'englisch': 'en', 'ingles': 'en', 'inglese': 'en', 'francais': 'fr', 'franzosisch': 'fr', 'frances': 'fr', 'francese': 'fr',
  'allemand': 'de', 'aleman': 'de', 'tedesco': 'de', 'espanol': 'es', 'spanisch': 'es', 'espagnol': 'es', 'castellano': 'es', 'spagnolo': 'es',
  'italiano': 'it', 'italienisch': 'it', 'italien': 'it', 'portugues': 'pt', 'portugiesisch': 'pt', 'portugais': 'pt', 'portoghese': 'pt',
  'portugues brasil': 'pt', 'portugues do brasil': 'pt', 'brazilian portuguese': 'pt', 'japanisch': 'ja', 'japonais': 'ja', 'japones': 'ja',
  'giapponese': 'ja', 'koreanisch': 'ko', 'coreen': 'ko', 'coreano': 'ko', 'russisch': 'ru', 'russe': 'ru', 'ruso': 'ru', 'russo': 'ru',
  'en us': 'en', 'en gb': 'en', 'eng': 'en', 'fra': 'fr', 'fre': 'fr', 'deu': 'de', 'ger': 'de', 'spa': 'es', 'ita': 'it', 'por': 'pt',
  'jpn': 'ja', 'kor': 'ko', 'rus': 'ru', 'zh': 'zh-Hans', 'zho': 'zh-Hans', 'chi': 'zh-Hans',
  search.folded('日本語'): 'ja', search.folded('日本'): 'ja', search.folded('한국어'): 'ko', search.folded('русский'): 'ru',
  search.folded('简体中文'): 'zh-Hans', search.folded('中文'): 'zh-Hans', search.folded('中文 简体'): 'zh-Hans',
  search.folded('繁體中文'): 'zh-Hant', search.folded('中文 繁體'): 'zh-Hant',
  '1': 'en', '2': 'fr', '3': 'de', '4': 'es', '5': 'it', '6': 'zh-Hans', '7': 'ja', '8': 'pt', '9': 'ru', '10': 'ko', '11': 'zh-Hant'
};

-- own_language: a language code; an unknown word of two or three letters is used as the code
create or replace temp macro own_language(said) as coalesce(
  getvariable('own_languages')[search.folded(said)],
  if(regexp_full_match(search.folded(said), '[a-z]{2,3}'), search.folded(said), null)
);

-- own_tail_language: the language after a condition, as in `Near Mint Foil - Japanese`; null = none
create or replace temp macro own_tail_language(said) as own_language(nullif(regexp_extract(said, ' - (\pL[\pL ()]{3,})$', 1), ''));

-- own_finish: the finish in a text, which may begin with a condition; the result is empty for the usual finish
create or replace temp macro own_finish(said) as regexp_replace(
  search.folded(said), '^(near mint|lightly played|moderately played|heavily played|damaged|unopened)( |$)', ''
);

-- own_money: a number with a decimal point or comma, and thousands separators; null = none
create or replace temp macro own_money(said) as try_cast(
  case
    when regexp_matches(said, ',\d{1,2}\s*\D*$|^\D*0,\d+\D*$') then replace(regexp_replace(said, '[^0-9,]', '', 'g'), ',', '.')
    else regexp_replace(said, '[^0-9.]', '', 'g')
  end as decimal(18, 4)
);

-- own_currency: three capitals, or the code for a currency sign; null = none
create or replace temp macro own_currency(said) as case
  when regexp_matches(upper(said), '\b[A-Z]{3}\b') then regexp_extract(upper(said), '\b[A-Z]{3}\b')
  when contains(said, '€') then 'EUR' when contains(said, '£') then 'GBP' when contains(said, '$') then 'USD'
end;

-- own_game_words: the words of a game's name
create or replace temp macro own_game_words(said) as
  trim(regexp_replace(search.folded(replace(said, '&', ' and ')), '(^| )(tcg|ccg|trading card game|trading cards?)( |$)', ' ', 'g'));
