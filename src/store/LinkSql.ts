import { DateTime, Duration } from "effect"
import { writtenLinkJson } from "./LinkJson.ts"

/** A clock that was set back by more than this is believed. */
const SET_BACK = Duration.days(2)

/** The latest time that `savedAt` takes for one before the clock was set back. */
export const savedBefore = (now: DateTime.Utc): string =>
  DateTime.formatIso(DateTime.addDuration(now, SET_BACK))

/**
 * When a link counts as saved: now, or with the newest link where the clock has been set back. Lists are in the order of
 * this time and then of the number, so that the link saved last is the first of the newest whatever the clock does, while
 * links of a file stand where their own dates put them. `until` is `savedBefore`.
 */
export const savedAt = (now: string, until: string) =>
  `max(${now}, coalesce((SELECT max(created_at) FROM links WHERE created_at <= ${until}), ''))`

/** All of a JSON list of tags, and of a second one as many of the others as `limit` leaves room for. */
export const unionOfTags = (
  first: string,
  second: string,
  limit: string
) => `(SELECT json_group_array(tag) FROM (
  SELECT value AS tag FROM json_each(${first})
  UNION ALL SELECT value FROM (
    SELECT value, row_number() OVER (ORDER BY key) AS place FROM json_each(${second})
    WHERE value NOT IN (SELECT value FROM json_each(${first}))
  ) WHERE place <= ${limit} - json_array_length(${first})))`

/**
 * Takes a link in, unless its address is there already.
 *
 * This and `finishLink` are written out rather than composed on each call: they are what every save waits for.
 * ?1 address, ?2 its normal form, ?3 host, ?4 note, ?5 tags, ?6 category, ?7 now, ?8 `savedBefore`.
 */
export const insertLink = `INSERT INTO links
  (url, normalized_url, host, title, note, tags, hand_tags, category, created_at, updated_at)
  VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?5, ?6, ${savedAt("?7", "?8")}, ?7)
  ON CONFLICT (normalized_url) DO NOTHING RETURNING ${writtenLinkJson} AS json`

/** What a source found is taken where it did not fall back, and its fallback only where nothing better is there. */
const take = (usable: string, column: string) =>
  `${usable} OR enrichment = 'pending' OR ${column} IN ('', '[]', host)`

/**
 * Writes what was found about a link, against nothing the owner set by hand.
 *
 * ?1 number, ?2 whether the page was read, ?3 whether there is a summary, ?4 title, ?5 description, ?6 summary,
 * ?7 tags, ?8 the most tags, ?9 category, ?10 text, ?11 image, ?12 favicon, ?13 site, ?14 author, ?15 published,
 * ?16 language, ?17 canonical address, ?18 final address, ?19 repository, ?20 state, ?21 the times of the
 * next look as JSON, one for each number of looks that counted, ?22 whether the last of them counts for all further ones,
 * ?23 now, ?24 whether there are tags.
 */
export const finishLink = `UPDATE links SET
  title = CASE WHEN title_by_hand THEN title WHEN ${take("?2", "title")} THEN ?4 ELSE title END,
  description = CASE WHEN ${take("?2", "description")} THEN ?5 ELSE description END,
  summary = CASE WHEN summary_by_hand THEN summary WHEN ${take("?3", "summary")} THEN ?6 ELSE summary END,
  tags = CASE WHEN NOT (${take("?24", "tags")}) THEN tags WHEN hand_tags = '[]' THEN ?7
    ELSE ${unionOfTags("hand_tags", "?7", "?8")} END,
  category = CASE WHEN category_by_hand THEN category ELSE coalesce(?9, category) END,
  text = CASE WHEN ${take("?2", "text")} THEN ?10 ELSE text END,
  image = coalesce(?11, image), favicon = coalesce(?12, favicon), site_name = coalesce(?13, site_name),
  author = coalesce(?14, author), published_at = coalesce(?15, published_at), language = coalesce(?16, language),
  canonical_url = coalesce(?17, canonical_url), final_url = ?18, repository = coalesce(?19, repository),
  enrichment = ?20,
  retry_at = coalesce(?21 ->> retries, iif(?22, ?21 ->> -1, NULL)),
  retries = iif(?20 = 'complete', 0, retries),
  updated_at = ?23
  WHERE id = ?1 RETURNING ${writtenLinkJson} AS json`
