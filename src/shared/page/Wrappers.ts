import { byHost, type Wrapper } from "./Form.ts"

const archivesToday = [
  "archive.today",
  "archive.ph",
  "archive.is",
  "archive.li",
  "archive.vn",
  "archive.md",
  "archive.fo"
]

const wrappers: ReadonlyArray<Wrapper> = [
  // AMP viewers and caches (https://amp.dev/documentation).
  { hosts: ["google.*"], path: /^\/amp\/s\/(?<inner>.+)$/ },
  { hosts: ["google.*"], path: /^\/amp\/(?!s\/)(?<inner>.+)$/ },
  { hosts: ["*.cdn.ampproject.org"], path: /^\/(?:c|v|wp\/c)\/s\/(?<inner>.+)$/ },
  { hosts: ["*.cdn.ampproject.org"], path: /^\/(?:c|v|wp\/c)\/(?!s\/)(?<inner>.+)$/ },
  // Archives and caches. Bing's and Google's caches are gone, but their addresses are still in use.
  {
    hosts: ["web.archive.org", "wayback.archive.org", "archive.org", "web-beta.archive.org"],
    path: /^\/web\/(?:\d{1,14}(?:[a-z]{2}_)?|\d{0,14}\*)\/(?<inner>.+)$/,
    only: "finding"
  },
  { hosts: ["web.archive.org"], path: /^\/(?:web\/|save\/)?(?<inner>https?:\/.+)$/, only: "finding" },
  {
    hosts: archivesToday,
    path: /^\/(?:o\/\w+\/|newest\/|oldest\/|timegate\/|timemap\/|\d{4}[\d.-]*\/)?(?<inner>https?:\/.+)$/,
    only: "finding"
  },
  { hosts: archivesToday, path: /^\/(?:newest|oldest|\d{4}[\d.-]*)\/(?<inner>[^/]+\..+)$/, only: "finding" },
  { hosts: ["timetravel.mementoweb.org"], path: /^\/memento\/\d+\/(?<inner>.+)$/, only: "finding" },
  { hosts: ["arquivo.pt"], path: /^\/(?:wayback|noFrame\/replay)\/\d+\/(?<inner>.+)$/, only: "finding" },
  {
    hosts: ["webarchive.org.uk"],
    path: /^\/wayback\/(?:en\/)?archive\/\d+(?:mp_)?\/(?<inner>.+)$/,
    only: "finding"
  },
  { hosts: ["webcache.googleusercontent.com"], path: /^\/search$/, parameter: "q", only: "finding" },
  // Readers, which show another page's text.
  {
    hosts: [
      "12ft.io",
      "r.jina.ai",
      "via.hypothes.is",
      "freedium.cfd",
      "scribe.rip",
      "removepaywall.com",
      "smry.ai"
    ],
    path: /^\/(?:proxy\/)?(?<inner>https?:\/.+)$/,
    only: "finding"
  },
  // Redirects that warn before leaving a site, or count clicks.
  { hosts: ["google.*"], path: /^\/url$/, parameter: "q", only: "finding" },
  { hosts: ["google.*"], path: /^\/url$/, parameter: "url", only: "finding" },
  {
    hosts: ["l.facebook.com", "lm.facebook.com", "l.messenger.com"],
    path: /^\/l\.php$/,
    parameter: "u",
    only: "finding"
  },
  { hosts: ["l.instagram.com", "l.threads.net", "l.threads.com"], parameter: "u", only: "finding" },
  { hosts: ["out.reddit.com"], parameter: "url", only: "finding" },
  { hosts: ["youtube.com"], path: /^\/redirect$/, parameter: "q", only: "finding" },
  { hosts: ["t.umblr.com"], path: /^\/redirect$/, parameter: "z", only: "finding" },
  { hosts: ["vk.com", "m.vk.com"], path: /^\/away\.php$/, parameter: "to", only: "finding" },
  { hosts: ["steamcommunity.com"], path: /^\/linkfilter\/?$/, parameter: "url", only: "finding" },
  { hosts: ["steamcommunity.com"], path: /^\/linkfilter\/?$/, parameter: "u", only: "finding" },
  { hosts: ["duckduckgo.com"], path: /^\/l\/?$/, parameter: "uddg", only: "finding" },
  {
    hosts: ["linkedin.com"],
    path: /^\/(?:redir\/redirect|safety\/go)\/?$/,
    parameter: "url",
    only: "finding"
  },
  { hosts: ["medium.com"], path: /^\/r\/?$/, parameter: "url", only: "finding" },
  { hosts: ["slack-redir.net"], path: /^\/link$/, parameter: "url", only: "finding" },
  { hosts: ["exit.sc"], parameter: "url", only: "finding" },
  { hosts: ["link.zhihu.com"], parameter: "target", only: "finding" },
  { hosts: ["*.safelinks.protection.outlook.com"], parameter: "url", only: "finding" }
]

export const wrappersByHost = byHost(wrappers, ({ hosts }) => hosts)
