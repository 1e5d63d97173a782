/**
 * Tracking query parameters, in lower case: they say how a reader came to a page and nothing about the page itself.
 *
 * Source: the tracking query parameters registry (github.com/mpchadwick/tracking-query-params-registry, Unlicense),
 * with newer ones of the same platforms. Whole families are in `trackingPrefixes`. The registry's `si`, `campid`,
 * `toolid` and `customid` mean something else on other sites, so they are only in `trackingOnHosts`. Names that often
 * identify the page (`ref`, `source`, `id`, `v`, `q`) never count as tracking, even where a site uses them for that.
 */
const trackingParameters: ReadonlySet<string> = new Set(
  `__hsfp __hssc __hstc _branch_match_id _bta_c _bta_tid _ga _gl _hsenc _hsmi _ke _kx _openstat dclid dm_i ef_id
  epik fb_action_ids fb_action_types fb_ref fb_source fbclid gad_campaignid gad_source gbraid gclid gclsrc gdffi
  gdfms gdftrk gpromocode gqt hsctatracking igsh igshid irclickid li_fat_id mc_cid mc_eid mkcid mkevt mkrid mkwid
  ml_subscriber ml_subscriber_hash msclkid ndclid oly_anon_id oly_enc_id pcrid piwik_campaign piwik_keyword
  piwik_kwd pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source rb_clickid redirect_log_mongo_id
  redirect_mongo_id rtid s_kwcid sb_referer_host sccid sms_click sms_source sms_uph srsltid trk_contact trk_module
  trk_msg trk_sid ttclid tw_adid tw_campaign tw_content tw_source tw_term twclid vero_conv vero_id vmcid wbraid
  wickedid yclid ysclid`.split(/\s+/)
)

/** Prefixes of tracking parameters. */
const trackingPrefixes: ReadonlyArray<string> = ["utm_", "mtm_", "matomo_", "hsa_"]

/** Names that are tracking only on these sites and their subdomains; elsewhere they may identify the page. */
const trackingOnHosts: ReadonlyArray<readonly [site: string, names: ReadonlySet<string>]> = [
  ["youtube.com", new Set(["si", "feature", "pp"])],
  ["youtu.be", new Set(["si", "feature"])],
  ["spotify.com", new Set(["si"])],
  ["ebay.com", new Set(["campid", "toolid", "customid"])],
  ["x.com", new Set(["s", "t"])],
  ["twitter.com", new Set(["s", "t", "ref_src", "ref_url"])]
]

const isTracking = (host: string) => (name: string) => {
  const lower = name.toLowerCase()
  return (
    trackingParameters.has(lower) ||
    trackingPrefixes.some((prefix) => lower.startsWith(prefix)) ||
    trackingOnHosts.some(([site, names]) => names.has(lower) && (host === site || host.endsWith(`.${site}`)))
  )
}

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name.replaceAll("+", " "))
  } catch {
    return name
  }
}

/** The query without its tracking parameters; the others keep their order and, except for escapes, their spelling. */
const cleanQuery = (search: string, host: string): string => {
  const tracking = isTracking(host)
  const kept = search
    .slice(1)
    .split("&")
    .map(normalizeEscapes)
    .filter((pair) => pair !== "" && !tracking(decoded(pair.split("=", 1)[0] ?? "")))
  return kept.length === 0 ? "" : `?${kept.join("&")}`
}

/**
 * Normalizes percent-encoding: upper-case digits, and unreserved characters decoded (RFC 3986, 6.2.2).
 *
 * Text with a broken escape is unchanged: decoding next to it could create a new escape, and so a different address.
 */
const normalizeEscapes = (text: string): string =>
  /%(?![0-9a-f]{2})/i.test(text)
    ? text
    : text.replace(/%[0-9a-f]{2}/gi, (escape) => {
        const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
        return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
      })

/** A host name without the trailing dot of a fully qualified name, if the rest is a valid host name. */
const withoutFinalDot = (host: string): string => {
  const bare = host.replace(/\.+$/, "")
  return URL.canParse(`http://${bare}`) ? bare : host
}

/**
 * The identity of a link: two addresses with the same normal form are one link.
 *
 * Lower-case host without a trailing dot, no default port, no user, no fragment (except `#!` and `#/`, which are routes
 * of an application), no tracking parameters, no trailing slash except the root's.
 */
export const normalizeUrl = (url: URL): string => {
  const host = withoutFinalDot(url.hostname)
  const port = url.port === "" ? "" : `:${url.port}`
  const path = normalizeEscapes(url.pathname).replace(/\/+$/, "") || "/"
  const fragment = /^#[!/]/.test(url.hash) ? normalizeEscapes(url.hash) : ""
  return `${url.protocol}//${host}${port}${path}${cleanQuery(url.search, host)}${fragment}`
}
