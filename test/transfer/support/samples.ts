import { serviceSamples } from "./serviceSamples.ts"
import { socialSamples } from "./socialSamples.ts"
import { xmlSamples } from "./xmlSamples.ts"

/**
 * A sample of every format of one product, as a text or as JSON: in the shape that the product documents, as short as
 * possible or with an entry of each kind.
 */
export const samples = {
  karakeep: {
    bookmarks: [
      {
        createdAt: 1735689600,
        title: "Bun &amp; friends",
        tags: ["runtime", "js"],
        lists: ["l3", "l1"],
        content: { type: "link", url: "https://bun.sh/" },
        note: "fast",
        archived: false
      },
      {
        createdAt: 1735776000,
        title: null,
        tags: [],
        lists: ["l4"],
        content: { type: "link", url: "https://example.com/plain" },
        note: null,
        archived: true
      },
      {
        createdAt: 1735862400,
        title: "Words",
        tags: [],
        content: { type: "text", text: "hello" },
        note: null
      },
      { createdAt: 1735862401, title: "Scan", tags: [], content: null, note: null }
    ],
    lists: [
      { id: "l1", name: "Code", description: null, icon: "💻", type: "manual", query: null, parentId: null },
      {
        id: "l3",
        name: "Runtimes",
        description: null,
        icon: "🏃",
        type: "manual",
        query: null,
        parentId: "l1"
      },
      {
        id: "l4",
        name: "Unread",
        description: null,
        icon: "📖",
        type: "smart",
        query: "is:unread",
        parentId: null
      }
    ]
  },
  linkding: {
    count: 2,
    next: null,
    previous: null,
    results: [
      {
        id: 1,
        url: "https://example.com/one",
        title: "One",
        description: "The first of them",
        notes: "Read **twice**",
        website_title: "Site title",
        website_description: "Site words",
        is_archived: false,
        unread: true,
        shared: false,
        tag_names: ["first", "number"],
        date_added: "2020-09-26T09:46:23.006313Z",
        date_modified: "2020-09-26T16:01:14.275335Z"
      },
      {
        id: 2,
        url: "https://example.com/two",
        title: "",
        description: "",
        notes: "",
        website_title: "Second",
        website_description: "Words of the second",
        tag_names: [],
        date_added: "2021-01-01T00:00:00Z"
      }
    ]
  },
  pinboard: [
    {
      href: "https://pinboard.in/tour/",
      description: "Pinboard&#39;s tour",
      extended: "Take it",
      meta: "92959a96fd69146c5fe7cbde6e5720f2",
      hash: "0a7c1b5a8b2a6c9b6b7f5f1a3e5f7a11",
      time: "2014-05-03T14:04:21Z",
      shared: "yes",
      toread: "no",
      tags: "bookmarks  services to:try"
    },
    {
      href: "https://example.com/untitled",
      description: false,
      extended: "",
      meta: "",
      hash: "",
      time: "2015-01-01T00:00:00Z",
      shared: "no",
      toread: "yes",
      tags: ""
    }
  ],
  telegram: {
    type: "saved_messages",
    id: 4242,
    messages: [
      {
        id: 1,
        type: "service",
        date: "2024-01-01T10:00:00",
        date_unixtime: "1704103200",
        action: "pin_message",
        text: ""
      },
      {
        id: 2,
        type: "message",
        date: "2024-01-02T10:00:00",
        date_unixtime: "1704189600",
        from: "Ann",
        from_id: "user4242",
        forwarded_from: "News Channel",
        text: [
          "Two of them: ",
          { type: "link", text: "https://example.com/a" },
          " and ",
          { type: "text_link", text: "the docs", href: "https://example.org/docs" },
          "\n",
          { type: "bold", text: "Worth it" },
          " ",
          { type: "hashtag", text: "#rust" },
          " ",
          { type: "hashtag", text: "#dev_tools" }
        ]
      },
      {
        id: 3,
        type: "message",
        date: "2024-01-03T10:00:00",
        date_unixtime: "1704276000",
        text: "no link at all"
      },
      {
        id: 4,
        type: "message",
        date: "2024-01-04T10:00:00",
        date_unixtime: "1704362400",
        text: [{ type: "link", text: "example.net/x" }]
      }
    ]
  },
  chrome: {
    checksum: "0",
    roots: {
      bookmark_bar: {
        children: [
          {
            children: [
              {
                date_added: "13350000000000000",
                id: "7",
                name: "Deep",
                type: "url",
                url: "https://example.com/deep"
              }
            ],
            date_added: "13340000000000000",
            id: "6",
            name: "Work",
            type: "folder"
          },
          {
            date_added: "13350000001000000",
            id: "8",
            name: "Top",
            type: "url",
            url: "https://example.com/top"
          }
        ],
        id: "1",
        name: "Bookmarks bar",
        type: "folder"
      },
      other: { children: [], id: "2", name: "Other bookmarks", type: "folder" },
      synced: { children: [], id: "3", name: "Mobile bookmarks", type: "folder" }
    },
    version: 1
  },
  netscape:
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="https://example.com/" ADD_DATE="1700000000">Example</A>\n</DL><p>',
  "pocket-html":
    '<!DOCTYPE html><title>Pocket Export</title><h1>Unread</h1><ul><li><a href="https://example.com/" time_added="1688628695" tags="a,b">Example</a></li></ul>',
  "pocket-csv": "title,url,time_added,tags,status\nExample,https://example.com/,1688628695,a|b,unread",
  raindrop:
    "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,Example,,,https://example.com/,Unsorted,a,2024-01-01T00:00:00.000Z,,,false",
  instapaper: "URL,Title,Selection,Folder,Timestamp\nhttps://example.com/,Example,,Unread,1700000000",
  readwise:
    "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nExample,https://example.com/,1,[],2024-01-01 00:00:00+00:00,0,new,True",
  linkwarden: {
    collections: [{ id: 1, name: "Code", parentId: null, links: [{ id: 1, url: "https://example.com/" }] }],
    pinnedLinks: []
  },
  omnivore: [
    {
      id: "1",
      slug: "example",
      url: "https://example.com/",
      state: "Active",
      labels: [],
      savedAt: "2024-01-01T00:00:00Z"
    }
  ],
  wallabag: [{ url: "https://example.com/", is_archived: 0, is_starred: 0, tags: [] }],
  delicious: [{ url: "https://example.com/", created: "2010-01-01T00:00:00Z", tags: [], private: false }],
  readability: { bookmarks: [{ article__url: "https://example.com/", article__title: "Example" }] },
  firefox: {
    guid: "root________",
    type: "text/x-moz-place-container",
    root: "placesRoot",
    children: [{ type: "text/x-moz-place", title: "Example", uri: "https://example.com/" }]
  },
  onetab: "https://example.com/ | Example\nhttps://example.org/ | Other",
  ...xmlSamples,
  ...serviceSamples,
  ...socialSamples
} satisfies Readonly<Record<string, unknown>>
