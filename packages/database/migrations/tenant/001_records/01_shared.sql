-- Names sort and compare as people expect, whatever locale the server was made with: hence the ICU collation.

-- The form in which texts are searched: small letters without accents, apostrophes, dots and hidden characters, one
-- spelling of letters that are written in several ways, one space between words. It is a generated column's function,
-- so the stored text and the searched one can't differ.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN
  regexp_replace(
    replace(replace(replace(replace(replace(
      translate(
        -- Latin, Greek, Cyrillic, Hebrew and Arabic marks; the vowel signs of other scripts are letters.
        regexp_replace(
          lower(normalize(
            -- before they are decomposed: some of these would become a space and an accent
            translate(
              value,
              U&'''\2018\2019\201B\02BC\02BB\02BD\02BE\02BF\02B9\2032\FF07`\00B4\0640\00B7\00AD\061C\200B\200C\200D\200E\200F\202A\202B\202C\202D\202E\2060\2066\2067\2068\2069\FEFF',
              ''
            )
          , NFKD) COLLATE "und-x-icu"),
          U&'[''\0300-\036F\0483-\0487\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0610-\061A\064B-\065F\0670\06D6-\06DC\06DF-\06E4\06E7\06E8\06EA-\06ED]',
          '', 'g'
        ),
        -- letters that have no decomposition; dashes; final sigma; Arabic spellings; digits
        U&'\00F8\0142\0111\0131\00F0\0127\0167\014B\0253\0257\0199\025B\0254\0259\2010\2011\2012\2013\2014\2015\2212\03C2\0649\06CC\06A9\0629\06C1\06BE\06D5\06C3\0671\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9',
        U&'oldidhtnbdkeoe-------\03C3\064A\064A\0643\0647\0647\0647\0647\0647\062701234567890123456789'
      ),
      U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'), U&'\1E9E', 'ss'),
    '[ .]+', ' ', 'g'
  );

-- After U+001F, the words of a name without spaces, which begin with the word at a place. Empty if there is none.
CREATE FUNCTION joined_from(words text[], place integer) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
  WHEN place > cardinality(words) THEN ''
  ELSE U&'\001F' || array_to_string(words[place:] || words[:place - 1], '')
END;

-- The same for each place. More words than a name has are not worth it. A subquery would take twice as long.
CREATE FUNCTION joined_from_each(words text[]) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN
  joined_from(words, 1) || joined_from(words, 2) || joined_from(words, 3) || joined_from(words, 4)
  || joined_from(words, 5) || joined_from(words, 6) || joined_from(words, 7) || joined_from(words, 8);

-- What people are found by: the names and other texts as search_text, and after each U+001F the names without spaces and
-- hyphens, which begin with each of the words in turn. A search can so leave spaces out, or start with the last name.
CREATE FUNCTION search_people(names text, other text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN search_text(names || ' ' || other)
  || joined_from_each(
    array_remove(string_to_array(translate(search_text(names), ' -,;:()/_', '         '), ' '), '')
  );

CREATE TABLE counters (
  hospital_id own_hospital_id,
  series text NOT NULL,
  period text NOT NULL DEFAULT '',
  value bigint NOT NULL,
  PRIMARY KEY (series, period)
);
COMMENT ON TABLE counters IS 'Last number given in each series; numbers are taken in the transaction that uses them, so none is lost';

CREATE TABLE idempotency_keys (
  hospital_id own_hospital_id,
  sub text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status smallint,
  headers jsonb,
  content_type text,
  body text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sub, route, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
COMMENT ON TABLE idempotency_keys IS 'First response to each request with an idempotency key, kept for a day and written by its transaction';

CREATE TABLE completed_tasks (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  completed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX completed_tasks_completed_at ON completed_tasks (completed_at);
COMMENT ON TABLE completed_tasks IS 'Background tasks whose effect is in this schema, written by its transaction and kept for two weeks, so that no task takes effect twice';

-- The time that records get: that of the transaction, or the one that the transaction is told to be in. Only the seed
-- tells it, for records of the past. The audit log always has the server's own time.
CREATE FUNCTION moment() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('hms.moment', true), '')::timestamptz, now());
