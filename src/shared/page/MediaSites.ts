import { decoded } from "../WebAddress.ts"
import { lower, type Site } from "./Form.ts"

const video = /^[\w-]{11}$/
/** Wikis of the Wikimedia Foundation, with or without a language as subdomain. */
const wikis = [
  ...["wikipedia", "wiktionary", "wikibooks", "wikinews", "wikiquote", "wikisource", "wikiversity"].map(
    (name) => `*.${name}.org`
  ),
  ...["*.wikivoyage.org", "*.wikimedia.org", "wikidata.org", "mediawiki.org"]
]
const wikiTitle = (title: string) => encodeURI(title.replace(/ /g, "_")).replace(/[?#]/g, encodeURIComponent)
/** A title without `.` and `..` as steps, which a path would resolve. */
const wikiTitled = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$)).+$/
/** Parameters with which a wiki shows something other than the page as it is. */
const wikiActions = [
  "action",
  "oldid",
  "diff",
  "curid",
  "search",
  "printable",
  "redlink",
  "type",
  "offset",
  "from"
]

export const mediaSites: ReadonlyArray<Site> = [
  {
    hosts: ["youtube.com", "youtube-nocookie.com"],
    mirrors: ["music.youtube.com", "yewtu.be", "invidious.io", "piped.video"],
    home: "youtube.com",
    forms: [
      { path: /^\/watch$/, query: { v: video }, to: "youtube.com/watch?v={v}" },
      { path: /^\/(?:shorts|embed|live|v|e)\/(?<v>[\w-]{11})$/, to: "youtube.com/watch?v={v}" }
    ]
  },
  {
    hosts: ["youtu.be"],
    forms: [{ path: /^\/(?<v>[\w-]{11})$/, to: "youtube.com/watch?v={v}" }]
  },
  {
    hosts: wikis,
    forms: [
      {
        path: /^\/(?:w\/?)?(?:index\.php)?$/,
        query: { title: wikiTitled },
        to: "{host}/wiki/{title}",
        unless: wikiActions,
        spelled: wikiTitle
      },
      {
        path: /^\/wiki\/(?<title>.*%.*)$/,
        to: "{host}/wiki/{title}",
        unless: wikiActions,
        spelled: (title) => wikiTitle(decoded(title))
      }
    ]
  },
  {
    hosts: [
      "reddit.com",
      "old.reddit.com",
      "new.reddit.com",
      "np.reddit.com",
      "i.reddit.com",
      "sh.reddit.com"
    ],
    home: "reddit.com",
    forms: [
      {
        path: /^\/(?:(?:r|user|u)\/[\w-]+\/)?comments\/(?<id>[\da-z]{4,10})(?:\/[^/]*)?$/,
        to: "reddit.com/comments/{id}"
      },
      {
        path: /^\/(?:(?:r|user|u)\/[\w-]+\/)?comments\/(?<id>[\da-z]{4,10})\/[^/]+\/(?<comment>[\da-z]{4,10})$/,
        to: "reddit.com/comments/{id}/_/{comment}"
      },
      {
        path: /^\/r\/(?<name>[\w-]+)$/,
        to: "reddit.com/r/{name}",
        spelled: lower,
        keeps: ["sort", "t", "f", "after"]
      }
    ]
  },
  { hosts: ["redd.it"], forms: [{ path: /^\/(?<id>[\da-z]{4,10})$/, to: "reddit.com/comments/{id}" }] },
  {
    hosts: ["x.com", "twitter.com"],
    mirrors: ["nitter.net", "xcancel.com", "fxtwitter.com", "vxtwitter.com", "fixupx.com", "fixvx.com"],
    home: "x.com",
    forms: [
      {
        path: /^\/(?:i\/web|i|\w{1,15})\/status(?:es)?\/(?<id>\d+)(?:\/(?:photo|video)\/\d)?$/,
        to: "x.com/i/status/{id}"
      },
      { path: /^\/(?<name>(?!i$|home$|search$|explore$)\w{1,15})$/, to: "x.com/{name}", spelled: lower }
    ]
  },
  {
    hosts: ["facebook.com", "mbasic.facebook.com", "touch.facebook.com", "web.facebook.com", "fb.com"],
    home: "facebook.com",
    forms: []
  },
  {
    hosts: ["instagram.com", "instagr.am"],
    home: "instagram.com",
    forms: [{ path: /^\/(?:[\w.]+\/)?(?:p|reels?|tv)\/(?<id>[\w-]+)$/, to: "instagram.com/p/{id}" }]
  },
  {
    hosts: ["tiktok.com"],
    forms: [{ path: /^\/@[\w.-]+\/(?<kind>video|photo)\/(?<id>\d+)$/, to: "tiktok.com/{kind}/{id}" }]
  },
  {
    hosts: ["linkedin.com"],
    forms: [
      {
        path: /^\/posts\/.+-activity-(?<id>\d{15,20})(?:-[\w-]{4})?$/,
        to: "linkedin.com/feed/update/{id}",
        only: "finding"
      },
      {
        path: /^\/feed\/update\/urn:li:activity:(?<id>\d{15,20})$/,
        to: "linkedin.com/feed/update/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["vimeo.com", "player.vimeo.com"],
    forms: [
      { path: /^\/(?:video\/)?(?<id>\d+)$/, to: "vimeo.com/{id}" },
      {
        path: /^\/(?:channels|groups)\/[\w-]+\/(?:videos\/)?(?<id>\d+)$/,
        to: "vimeo.com/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["dailymotion.com", "dai.ly"],
    forms: [
      { path: /^\/(?:embed\/)?video\/(?<id>\w+)$/, to: "dailymotion.com/video/{id}" },
      { path: /^\/(?<id>x\w{5,8})$/, to: "dailymotion.com/video/{id}" }
    ]
  },
  {
    hosts: ["twitch.tv", "clips.twitch.tv"],
    forms: [
      { path: /^\/\w+\/clip\/(?<id>[\w-]{12,})$/, to: "clips.twitch.tv/{id}" },
      { path: /^\/videos\/(?<id>\d+)$/, to: "twitch.tv/videos/{id}" }
    ]
  },
  {
    hosts: ["open.spotify.com", "play.spotify.com", "embed.spotify.com"],
    home: "open.spotify.com",
    forms: [
      {
        path: /^\/(?:intl-[a-z]{2}\/)?(?:embed\/)?(?<kind>track|album|artist|playlist|episode|show)\/(?<id>\w{22})$/,
        to: "open.spotify.com/{kind}/{id}"
      }
    ]
  },
  {
    hosts: ["medium.com"],
    forms: [
      {
        path: /^\/(?:@?[\w.-]+\/)(?:[^/]*-)?(?<id>[\da-f]{10,12})$/,
        to: "medium.com/p/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["open.substack.com"],
    forms: [{ path: /^\/pub\/(?<name>[\w-]+)\/p\/(?<post>[\w-]+)$/, to: "{name}.substack.com/p/{post}" }]
  },
  {
    hosts: ["docs.google.com"],
    forms: [
      {
        path: /^\/(?<kind>document|spreadsheets|presentation|forms|drawings)\/(?:u\/\d+\/)?d\/(?<id>[\w-]{20,})(?:\/(?:edit|view|preview|copy|htmlview|mobilebasic))?$/,
        to: "docs.google.com/{kind}/d/{id}"
      }
    ]
  },
  {
    hosts: ["drive.google.com"],
    forms: [
      {
        path: /^\/file\/(?:u\/\d+\/)?d\/(?<id>[\w-]{20,})(?:\/(?:view|preview|edit))?$/,
        to: "drive.google.com/file/d/{id}"
      },
      { path: /^\/(?:open|uc)$/, query: { id: /^[\w-]{20,}$/ }, to: "drive.google.com/file/d/{id}" }
    ]
  },
  {
    hosts: ["loom.com"],
    forms: [{ path: /^\/(?:share|embed)\/(?<id>[\da-f]{32})$/, to: "loom.com/share/{id}" }]
  },
  {
    hosts: ["figma.com"],
    forms: [
      {
        path: /^\/(?:file|design|board)\/(?<id>\w{20,})(?:\/[^/]*)?$/,
        to: "figma.com/design/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["codepen.io"],
    forms: [
      {
        path: /^\/(?<user>[\w-]+)\/(?:pen|full|details|embed)\/(?<id>\w+)$/,
        to: "codepen.io/{user}/pen/{id}",
        only: "finding"
      }
    ]
  },
  { hosts: ["bbc.com"], mirrors: ["bbc.co.uk"], home: "bbc.com", forms: [] },
  { hosts: ["theguardian.com", "guardian.co.uk"], home: "theguardian.com", forms: [] }
]
