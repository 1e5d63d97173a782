import { MOST_LABELS, suffixesOf } from "./WebAddress.ts"

/**
 * Tracking query parameters, which say how a reader came to a page.
 *
 * Source: the tracking query parameters registry (github.com/mpchadwick/tracking-query-params-registry, Unlicense),
 * with what the vendors of mail, analytics and advertising document for their own links. The registry's `si`, `campid`,
 * `toolid` and `customid` mean something else on other sites, so they are only in `onSites`. Names that often identify
 * the page (`ref`, `source`, `share`, `id`, `v`, `q`) count as tracking only on sites that are known to use them so.
 */

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Names in lower case, by what they belong to. */
const everywhere = namesIn(
  [
    // Advertising networks and their clicks.
    `_ga _gl dclid fbadid fbclid gad gad_campaignid gad_source gbraid gclid gclsrc gdffi gdfms gdftrk gpromocode gqt
    gs_l msclkid ndclid obclid outbrainclickid qclid rb_clickid rdt_cid s_kwcid sccid sc_cid srsltid sznclid syclid
    tblci tbclid ttclid twclid unicorn_click_id wbraid wickedid yclid ymclid ysclid li_fat_id dicbo epik ef_id
    mkwid pcrid tw_adid tw_campaign tw_content tw_source tw_term`,
    // Affiliate programs.
    `afsrc awc cjdata cjevent ceneo_spo irclickid irgwc mkcid mkevt mkrid raneaid ranmid ransiteid rtid sscid
    zanpid`,
    // Newsletters and mail campaigns.
    `__s _bhlid _bta_c _bta_tid _hsenc _hsmi __hsfp __hssc __hstc _ke _kx bbeml dm_i et_rid hsctatracking isfreemail
    mc_cid mc_eid mc_tc mkt_tok ml_subscriber ml_subscriber_hash nr_email_referer oly_anon_id oly_enc_id
    redirect_log_mongo_id redirect_mongo_id sb_referer_host ss_email_id trk_contact trk_module trk_msg trk_sid
    triedredirect vero_conv vero_id vgo_ee vmcid`,
    // Analytics of a site's own campaigns.
    `_openstat cmpid guccounter guce_referrer guce_referrer_sig itm_campaign itm_content itm_medium itm_source
    itm_term os_ehash pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source piwik_campaign piwik_keyword piwik_kwd s_cid smid spm spm_id_from tracking_source utm wtrid
    wt_mc wt_zmc xtor`,
    // Sharing from an application.
    `__twitter_impression _branch_match_id _branch_referrer fb_action_ids fb_action_types fb_comment_id fb_ref
    fb_source igsh igshid mibextid sms_click sms_source sms_uph`
  ]
    .join(" ")
    .trim()
)

/** Beginnings of names that belong to one vendor: Google, Matomo, HubSpot, Piano, Blueshift, Salesforce and others. */
const beginnings: ReadonlyArray<string> = [
  ...["at_", "bsft_", "hmb_", "hsa_", "matomo_", "mtm_", "oft_", "otm_", "sfmc_", "utm_"]
]

/** A site, and the parameters that are tracking there and on its subdomains only; `*` stands for the rest of a name. */
const onSites: ReadonlyArray<readonly [sites: string, names: string]> = [
  ["youtube.com youtu.be youtube-nocookie.com", "si feature pp ab_channel app attr_tag kw"],
  ["spotify.com", "si context pt dl_branch sp_cid nd go utm"],
  ["ebay.*", "campid toolid customid _trkparms _trksid _from hash amdata mkscid"],
  ["x.com twitter.com", "s t cn src ref_src ref_url cxt"],
  ["reddit.com", "share_id rdt ref ref_source ref_campaign correlation_id $deep_link $3p $original_url"],
  [
    "facebook.com",
    "ref refid refsrc fref hc_ref hc_location __tn__ __xts__* __cft__* acontext eid ls_ref rdid"
  ],
  ["facebook.com", "share_url sfnsn notif_id notif_t paipv _rdr _rdc comment_tracking action_history dti"],
  ["instagram.com threads.net threads.com", "hl img_index xmt"],
  ["tiktok.com", "is_from_webapp is_copy_url sender_device sender_web_id web_id _r _t _d u_code preview_pb"],
  ["tiktok.com", "share_app_name share_iid share_link_id share_item_id timestamp user_id source tt_from"],
  [
    "linkedin.com",
    "trk trkinfo trackingid refid lipi licu midtoken midsig trkemail originalsubdomain rcm ebp"
  ],
  ["medium.com", "source sk gi"],
  ["substack.com", "r s isfreemail showwelcome showwelcomeonshare"],
  [
    "nytimes.com",
    "smtyp partner referringsource unlocked_article_code campaign_id emc instance_id nl regi_id"
  ],
  ["theguardian.com", "cmp"],
  [
    "bbc.com bbc.co.uk",
    "ocid ns_mchannel ns_source ns_campaign ns_linkname ns_fee intlink_from_url link_location"
  ],
  ["bloomberg.com", "srnd sref leadsource cmpid"],
  [
    "wired.com newyorker.com vogue.com gq.com vanityfair.com",
    "mbid intcid bxid cndid esrc source ndid hasha _sp"
  ],
  ["forbes.com", "sh ss"],
  ["techcrunch.com yahoo.com engadget.com", "ncid sr sr_share soc_src soc_trk"],
  ["msn.com bing.com microsoft.com", "cvid ocid"],
  ["washingtonpost.com", "itid wpisrc wpmk pwapi_token carta-url nid"],
  ["economist.com", "fsrc giftid"],
  ["cnbc.com", "__source"],
  ["reuters.com", "taid"],
  ["thetimes.co.uk thetimes.com", "sharetoken"],
  ["dailymail.co.uk metro.co.uk", "ito"],
  ["spiegel.de", "b sara_ref"],
  ["amazon.*", "pd_rd_* pf_rd_* qid sr srs crid sprefix refrid tag linkcode linkid ref ref_ _encoding spla"],
  [
    "amazon.*",
    "ascsubtag camp creative creativeasin content-id psc smid dchild coliid colid __mk_* dib dib_tag"
  ],
  [
    "aliexpress.* tmall.com taobao.com lazada.*",
    "algo_* aff_* scm scm_* pvid btsid ws_ab_test gps-id curpageLogUid"
  ],
  [
    "aliexpress.* tmall.com taobao.com lazada.*",
    "utparam utparam-url pdp_npi _t sk afsmartredirect terminal_id"
  ],
  ["etsy.com", "click_key click_sum organic_search_click ref ga_* frs pro sts content_source external"],
  ["walmart.com", "athbdg athcpid athpgid athznid athieid athstid athguid athancid u1 wmlspartner"],
  ["imdb.com", "ref_ pf_rd_*"],
  ["goodreads.com", "from_search from_srp qid rank ac ref"],
  ["steampowered.com steamcommunity.com", "snr curator_clanid"],
  ["apple.com", "at ct pt mt ign-mpt itsct itscg uo"],
  ["producthunt.com kickstarter.com indiegogo.com", "ref"],
  ["9gag.com giphy.com", "ref"],
  ["meetup.com", "rv _xtd recid recsource searchid eventorigin"],
  ["eventbrite.*", "aff"],
  ["airbnb.*", "federated_search_id search_type source source_impression_id previous_page_section_name"],
  ["booking.com", "aid label sid srpvid ucfs"],
  [
    "bilibili.com",
    "vd_source from_source from seid share_source share_medium share_plat share_tag share_session_id"
  ],
  ["bilibili.com", "share_times share_from msource refer_from bbid ts unique_k timestamp plat_id"],
  ["zhihu.com", "utm_psn share_code hybrid_search_source hybrid_search_extra"],
  ["weibo.com weibo.cn", "weibo_id dt_dapp from luicode lfid"],
  ["google.*", "ved ei gs_lcp gs_lcrp gs_ivs oq aqs sourceid uact sca_esv sxsrf rlz bih biw iflsig sclient"],
  ["github.com", "email_token email_source notification_referrer_id"],
  ["npmjs.com", "activetab"],
  [
    "stackoverflow.com stackexchange.com serverfault.com superuser.com askubuntu.com",
    "sfb s lq rq noredirect"
  ],
  ["wikipedia.org wiktionary.org wikimedia.org wikivoyage.org wikibooks.org", "wprov useskin veswitched"],
  ["sciencedirect.com", "via%3dihub via"],
  ["academic.oup.com", "redirectedfrom"],
  ["mozilla.org", "redirectlocale redirectslug platform redirect_source"],
  ["change.org", "source_location psf_variant share_intent recruiter"],
  ["quora.com", "share srid ch oid target_type"],
  ["pinterest.*", "mt sender invite_code sfo"],
  ["snapchat.com", "sc_referrer sc_ua share_id"],
  ["soundcloud.com", "si in_system_playlist"],
  ["twitch.tv", "tt_medium tt_content sr"],
  ["netflix.com", "trackid tctx trkid"],
  ["heise.de golem.de", "wt_t seite_via"],
  ["dev.to", "source"]
]

interface SiteNames {
  readonly names: Set<string>
  readonly beginnings: Array<string>
}

/** Names by site: `example.com`, or `example.*` for a name under any country. */
const bySite: ReadonlyMap<string, SiteNames> = onSites.reduce((all, [sites, names]) => {
  for (const site of sites.split(" ")) {
    const known = all.get(site) ?? { names: new Set<string>(), beginnings: [] }
    for (const name of names.toLowerCase().split(" "))
      if (name.endsWith("*")) known.beginnings.push(name.slice(0, -1))
      else known.names.add(name)
    all.set(site, known)
  }
  return all
}, new Map<string, SiteNames>())

/** Under the host, each domain above it, and `name.*` for a possible public suffix: `amazon.*` for `amazon.co.uk`. */
const entriesForHost = <A>(table: ReadonlyMap<string, A>, host: string): ReadonlyArray<A> => {
  const labels = host.split(".").slice(-MOST_LABELS)
  const suffixes = suffixesOf(labels)
  return labels.flatMap((label, at) => {
    const isBeforeSuffix = suffixes.includes(labels.slice(at + 1).join("."))
    return [labels.slice(at).join("."), ...(isBeforeSuffix ? [`${label}.*`] : [])].flatMap(
      (name) => table.get(name) ?? []
    )
  })
}

/** Returns the check whether a query parameter is tracking on a host. */
export const isTrackingOn = (host: string): ((name: string) => boolean) => {
  const sites = entriesForHost(bySite, host)
  const isOneOf = (name: string, names: ReadonlySet<string>, starts: ReadonlyArray<string>) =>
    names.has(name) || starts.some((start) => name.startsWith(start))
  return (given) => {
    const name = given.toLowerCase()
    return (
      isOneOf(name, everywhere, beginnings) ||
      sites.some((site) => isOneOf(name, site.names, site.beginnings))
    )
  }
}
