/**
 * Query parameters that say how a reader came to a page and nothing about the page, in lower case.
 *
 * Source: the tracking query parameters registry (github.com/mpchadwick/tracking-query-params-registry, Unlicense),
 * with newer ones of the same platforms. Whole families are in `trackingPrefixes`. The registry's `si`, `campid`,
 * `toolid` and `customid` mean something else on other sites, and so are in `trackingOnHosts` alone. Names that often
 * say which page is meant (`ref`, `source`, `id`, `v`, `q`) are tracking nowhere, whatever they may be on some site.
 */
export const trackingParameters: ReadonlySet<string> = new Set(
  `__hsfp __hssc __hstc _branch_match_id _bta_c _bta_tid _ga _gl _hsenc _hsmi _ke _kx _openstat dclid dm_i ef_id
  epik fb_action_ids fb_action_types fb_ref fb_source fbclid gad_campaignid gad_source gbraid gclid gclsrc gdffi
  gdfms gdftrk gpromocode gqt hsctatracking igsh igshid irclickid li_fat_id mc_cid mc_eid mkcid mkevt mkrid mkwid
  ml_subscriber ml_subscriber_hash msclkid ndclid oly_anon_id oly_enc_id pcrid piwik_campaign piwik_keyword
  piwik_kwd pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source rb_clickid redirect_log_mongo_id
  redirect_mongo_id rtid s_kwcid sb_referer_host sccid sms_click sms_source sms_uph srsltid trk_contact trk_module
  trk_msg trk_sid ttclid tw_adid tw_campaign tw_content tw_source tw_term twclid vero_conv vero_id vmcid wbraid
  wickedid yclid ysclid`.split(/\s+/)
)

/** Beginnings of parameter names that are tracking whatever follows. */
export const trackingPrefixes: ReadonlyArray<string> = ["utm_", "mtm_", "matomo_", "hsa_"]

/** Names that are tracking on these sites (and below them) alone: elsewhere they may say which page is meant. */
export const trackingOnHosts: ReadonlyArray<readonly [site: string, names: ReadonlySet<string>]> = [
  ["youtube.com", new Set(["si", "feature", "pp"])],
  ["youtu.be", new Set(["si", "feature"])],
  ["spotify.com", new Set(["si"])],
  ["ebay.com", new Set(["campid", "toolid", "customid"])],
  ["x.com", new Set(["s", "t"])],
  ["twitter.com", new Set(["s", "t", "ref_src", "ref_url"])]
]
