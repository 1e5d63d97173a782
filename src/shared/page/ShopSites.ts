import { always, finding, on, type Site, sameOn, upper } from "./Form.ts"

const asin = "(?<asin>[A-Z\\d]{10})"
/** The source of the click, which Amazon appends to a path. */
const clicked = "(?:/ref=.*)?"

export const shopSites: ReadonlyArray<Site> = [
  sameOn(
    "amazon.*",
    "amazon.* smile.amazon.*",
    "",
    always(
      new RegExp(`^/(?:-/[a-z]{2}(?:_[A-Z]{2})?/)?(?:[^/]+/)?dp/(?:product/)?${asin}${clicked}$`, "i"),
      "{host}/dp/{asin}",
      { spelled: upper }
    ),
    always(
      new RegExp(
        `^/(?:gp/product|gp/aw/d|exec/obidos/ASIN|exec/obidos/tg/detail/-|o/ASIN)/${asin}${clicked}$`,
        "i"
      ),
      "{host}/dp/{asin}",
      { spelled: upper }
    )
  ),
  on("ebay.*", always(/^\/itm\/(?:[^/]+\/)?(?<id>\d{9,14})$/, "{host}/itm/{id}", { keeps: ["var"] })),
  on(
    "etsy.com",
    always(/^\/listing\/(?<id>\d+)(?:\/[^/]*)?$/, "etsy.com/listing/{id}"),
    finding(/^\/[a-z]{2}(?:-[a-z]{2})?\/listing\/(?<id>\d+)(?:\/[^/]*)?$/, "etsy.com/listing/{id}")
  ),
  on(
    "aliexpress.* *.aliexpress.com",
    always(/^\/item\/(?:[^/]+\/)?(?<id>\d{5,20})\.html$/, "{host}/item/{id}.html")
  ),
  on(
    "detail.tmall.com item.taobao.com",
    always(/^\/item\.htm$/, "{host}/item.htm?id={id}", { query: { id: /^\d+$/ }, keeps: ["skuId"] })
  ),
  on("walmart.com", always(/^\/ip\/(?:[^/]+\/)?(?<id>\d+)$/, "walmart.com/ip/{id}")),
  on("imdb.com", always(/^\/(?<kind>title|name)\/(?<id>(?:tt|nm)\d{7,9})$/, "imdb.com/{kind}/{id}")),
  on(
    "goodreads.com",
    always(/^\/(?:[a-z]{2}\/)?book\/show\/(?<id>\d+)(?:[.-][^/]*)?$/, "goodreads.com/book/show/{id}")
  ),
  on("store.steampowered.com", always(/^\/app\/(?<id>\d+)(?:\/[^/]*)?$/, "store.steampowered.com/app/{id}")),
  on(
    "apps.apple.com itunes.apple.com",
    always(/^\/(?<country>[a-z]{2})\/app\/(?:[^/]+\/)?(?<id>id\d+)$/, "apps.apple.com/{country}/app/{id}")
  ),
  on(
    "play.google.com",
    finding(
      /^\/store\/(?<kind>apps|books|movies)\/details$/,
      "play.google.com/store/{kind}/details?id={id}",
      { query: { id: /^[\w.-]+$/ } }
    )
  ),
  on("airbnb.*", finding(/^\/rooms\/(?<id>\d+)$/, "{host}/rooms/{id}"))
]
