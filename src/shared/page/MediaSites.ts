import { decoded } from "../WebAddress.ts"
import { always, finding, lower, on, type Site, sameOn } from "./Form.ts"

const video = /^[\w-]{11}$/
/** Wikis of the Wikimedia Foundation, with or without a language as subdomain. */
const wikis =
  "*.wikipedia.org *.wiktionary.org *.wikibooks.org *.wikinews.org *.wikiquote.org *.wikisource.org *.wikiversity.org *.wikivoyage.org *.wikimedia.org wikidata.org mediawiki.org"
const wikiTitle = (title: string) => encodeURI(title.replace(/ /g, "_")).replace(/[?#]/g, encodeURIComponent)
/** A title without `.` and `..` as steps, which a path would resolve. */
const wikiTitled = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$)).+$/
/** Parameters with which a wiki shows something other than the page as it is. */
const wikiActions = "action oldid diff curid search printable redlink type offset from".split(" ")

export const mediaSites: ReadonlyArray<Site> = [
  sameOn(
    "youtube.com",
    "youtube.com youtube-nocookie.com",
    "music.youtube.com yewtu.be invidious.io piped.video",
    always(/^\/watch$/, "youtube.com/watch?v={v}", { query: { v: video } }),
    always(/^\/(?:shorts|embed|live|v|e)\/(?<v>[\w-]{11})$/, "youtube.com/watch?v={v}")
  ),
  on("youtu.be", always(/^\/(?<v>[\w-]{11})$/, "youtube.com/watch?v={v}")),
  on(
    wikis,
    always(/^\/(?:w\/?)?(?:index\.php)?$/, "{host}/wiki/{title}", {
      query: { title: wikiTitled },
      unless: wikiActions,
      spelled: wikiTitle
    }),
    always(/^\/wiki\/(?<title>.*%.*)$/, "{host}/wiki/{title}", {
      unless: wikiActions,
      spelled: (title) => wikiTitle(decoded(title))
    })
  ),
  sameOn(
    "reddit.com",
    "reddit.com old.reddit.com new.reddit.com np.reddit.com i.reddit.com sh.reddit.com",
    "",
    always(
      /^\/(?:(?:r|user|u)\/[\w-]+\/)?comments\/(?<id>[\da-z]{4,10})(?:\/[^/]*)?$/,
      "reddit.com/comments/{id}"
    ),
    always(
      /^\/(?:(?:r|user|u)\/[\w-]+\/)?comments\/(?<id>[\da-z]{4,10})\/[^/]+\/(?<comment>[\da-z]{4,10})$/,
      "reddit.com/comments/{id}/_/{comment}"
    ),
    always(/^\/r\/(?<name>[\w-]+)$/, "reddit.com/r/{name}", {
      spelled: lower,
      keeps: ["sort", "t", "f", "after"]
    })
  ),
  on("redd.it", always(/^\/(?<id>[\da-z]{4,10})$/, "reddit.com/comments/{id}")),
  sameOn(
    "x.com",
    "x.com twitter.com",
    "nitter.net xcancel.com fxtwitter.com vxtwitter.com fixupx.com fixvx.com",
    always(
      /^\/(?:i\/web|i|\w{1,15})\/status(?:es)?\/(?<id>\d+)(?:\/(?:photo|video)\/\d)?$/,
      "x.com/i/status/{id}"
    ),
    always(/^\/(?<name>(?!i$|home$|search$|explore$)\w{1,15})$/, "x.com/{name}", { spelled: lower })
  ),
  sameOn("facebook.com", "facebook.com mbasic.facebook.com touch.facebook.com web.facebook.com fb.com", ""),
  sameOn(
    "instagram.com",
    "instagram.com instagr.am",
    "",
    always(/^\/(?:[\w.]+\/)?(?:p|reels?|tv)\/(?<id>[\w-]+)$/, "instagram.com/p/{id}")
  ),
  on("tiktok.com", always(/^\/@[\w.-]+\/(?<kind>video|photo)\/(?<id>\d+)$/, "tiktok.com/{kind}/{id}")),
  on(
    "linkedin.com",
    finding(/^\/posts\/.+-activity-(?<id>\d{15,20})(?:-[\w-]{4})?$/, "linkedin.com/feed/update/{id}"),
    finding(/^\/feed\/update\/urn:li:activity:(?<id>\d{15,20})$/, "linkedin.com/feed/update/{id}")
  ),
  on(
    "vimeo.com player.vimeo.com",
    always(/^\/(?:video\/)?(?<id>\d+)$/, "vimeo.com/{id}"),
    finding(/^\/(?:channels|groups)\/[\w-]+\/(?:videos\/)?(?<id>\d+)$/, "vimeo.com/{id}")
  ),
  on(
    "dailymotion.com dai.ly",
    always(/^\/(?:embed\/)?video\/(?<id>\w+)$/, "dailymotion.com/video/{id}"),
    always(/^\/(?<id>x\w{5,8})$/, "dailymotion.com/video/{id}")
  ),
  on(
    "twitch.tv clips.twitch.tv",
    always(/^\/\w+\/clip\/(?<id>[\w-]{12,})$/, "clips.twitch.tv/{id}"),
    always(/^\/videos\/(?<id>\d+)$/, "twitch.tv/videos/{id}")
  ),
  sameOn(
    "open.spotify.com",
    "open.spotify.com play.spotify.com embed.spotify.com",
    "",
    always(
      /^\/(?:intl-[a-z]{2}\/)?(?:embed\/)?(?<kind>track|album|artist|playlist|episode|show)\/(?<id>\w{22})$/,
      "open.spotify.com/{kind}/{id}"
    )
  ),
  on("medium.com", finding(/^\/(?:@?[\w.-]+\/)(?:[^/]*-)?(?<id>[\da-f]{10,12})$/, "medium.com/p/{id}")),
  on(
    "open.substack.com",
    always(/^\/pub\/(?<name>[\w-]+)\/p\/(?<post>[\w-]+)$/, "{name}.substack.com/p/{post}")
  ),
  on(
    "docs.google.com",
    always(
      /^\/(?<kind>document|spreadsheets|presentation|forms|drawings)\/(?:u\/\d+\/)?d\/(?<id>[\w-]{20,})(?:\/(?:edit|view|preview|copy|htmlview|mobilebasic))?$/,
      "docs.google.com/{kind}/d/{id}"
    )
  ),
  on(
    "drive.google.com",
    always(
      /^\/file\/(?:u\/\d+\/)?d\/(?<id>[\w-]{20,})(?:\/(?:view|preview|edit))?$/,
      "drive.google.com/file/d/{id}"
    ),
    always(/^\/(?:open|uc)$/, "drive.google.com/file/d/{id}", { query: { id: /^[\w-]{20,}$/ } })
  ),
  on("loom.com", always(/^\/(?:share|embed)\/(?<id>[\da-f]{32})$/, "loom.com/share/{id}")),
  on("figma.com", finding(/^\/(?:file|design|board)\/(?<id>\w{20,})(?:\/[^/]*)?$/, "figma.com/design/{id}")),
  on(
    "codepen.io",
    finding(/^\/(?<user>[\w-]+)\/(?:pen|full|details|embed)\/(?<id>\w+)$/, "codepen.io/{user}/pen/{id}")
  ),
  sameOn("bbc.com", "bbc.com", "bbc.co.uk"),
  sameOn("theguardian.com", "theguardian.com guardian.co.uk", "")
]
