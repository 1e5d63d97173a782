import { type Site, upper } from "./Form.ts"

const asin = "(?<asin>[A-Z\\d]{10})"
/** The source of the click, which Amazon appends to a path. */
const clicked = "(?:/ref=.*)?"

/** Shops and catalogues, whose addresses contain a product number among other words. */
export const shopSites: ReadonlyArray<Site> = [
  {
    hosts: ["amazon.*", "smile.amazon.*"],
    home: "amazon.*",
    forms: [
      {
        path: new RegExp(
          `^/(?:-/[a-z]{2}(?:_[A-Z]{2})?/)?(?:[^/]+/)?dp/(?:product/)?${asin}${clicked}$`,
          "i"
        ),
        to: "{host}/dp/{asin}",
        spelled: upper
      },
      {
        path: new RegExp(
          `^/(?:gp/product|gp/aw/d|exec/obidos/ASIN|exec/obidos/tg/detail/-|o/ASIN)/${asin}${clicked}$`,
          "i"
        ),
        to: "{host}/dp/{asin}",
        spelled: upper
      }
    ]
  },
  {
    hosts: ["ebay.*"],
    forms: [{ path: /^\/itm\/(?:[^/]+\/)?(?<id>\d{9,14})$/, to: "{host}/itm/{id}", keeps: ["var"] }]
  },
  {
    hosts: ["etsy.com"],
    forms: [
      { path: /^\/listing\/(?<id>\d+)(?:\/[^/]*)?$/, to: "etsy.com/listing/{id}" },
      {
        path: /^\/[a-z]{2}(?:-[a-z]{2})?\/listing\/(?<id>\d+)(?:\/[^/]*)?$/,
        to: "etsy.com/listing/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["aliexpress.*", "*.aliexpress.com"],
    forms: [{ path: /^\/item\/(?:[^/]+\/)?(?<id>\d{5,20})\.html$/, to: "{host}/item/{id}.html" }]
  },
  {
    hosts: ["detail.tmall.com", "item.taobao.com"],
    forms: [
      { path: /^\/item\.htm$/, query: { id: /^\d+$/ }, to: "{host}/item.htm?id={id}", keeps: ["skuId"] }
    ]
  },
  {
    hosts: ["walmart.com"],
    forms: [{ path: /^\/ip\/(?:[^/]+\/)?(?<id>\d+)$/, to: "walmart.com/ip/{id}" }]
  },
  {
    hosts: ["imdb.com"],
    forms: [{ path: /^\/(?<kind>title|name)\/(?<id>(?:tt|nm)\d{7,9})$/, to: "imdb.com/{kind}/{id}" }]
  },
  {
    hosts: ["goodreads.com"],
    forms: [
      { path: /^\/(?:[a-z]{2}\/)?book\/show\/(?<id>\d+)(?:[.-][^/]*)?$/, to: "goodreads.com/book/show/{id}" }
    ]
  },
  {
    hosts: ["store.steampowered.com"],
    forms: [{ path: /^\/app\/(?<id>\d+)(?:\/[^/]*)?$/, to: "store.steampowered.com/app/{id}" }]
  },
  {
    hosts: ["apps.apple.com", "itunes.apple.com"],
    forms: [
      {
        path: /^\/(?<country>[a-z]{2})\/app\/(?:[^/]+\/)?(?<id>id\d+)$/,
        to: "apps.apple.com/{country}/app/{id}"
      }
    ]
  },
  {
    hosts: ["play.google.com"],
    forms: [
      {
        path: /^\/store\/(?<kind>apps|books|movies)\/details$/,
        query: { id: /^[\w.-]+$/ },
        to: "play.google.com/store/{kind}/details?id={id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["airbnb.*"],
    forms: [{ path: /^\/rooms\/(?<id>\d+)$/, to: "{host}/rooms/{id}", only: "finding" }]
  }
]
