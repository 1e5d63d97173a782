/** Where the icons are served, as absolute paths. */
export interface IconPaths {
  readonly svg: string
  /** 192 and 512 pixels. */
  readonly small: string
  readonly large: string
  /** 512 pixels, with a margin for the launcher's mask. */
  readonly maskable: string
}

const shortcut = (name: string, description: string, url: string, icon: string) => ({
  name,
  description,
  url,
  icons: [{ src: icon, sizes: "192x192", type: "image/png" }]
})

/** The Web Application Manifest (W3C; `share_target` as in the Web Share Target draft) that makes the dashboard installable. */
export const manifest = (icons: IconPaths) => ({
  name: "Linkbower",
  short_name: "Linkbower",
  description: "Your own link library: save what you read and find it again.",
  id: "/dashboard",
  start_url: "/dashboard",
  scope: "/dashboard",
  display: "standalone",
  lang: "en",
  dir: "ltr",
  categories: ["productivity", "utilities"],
  background_color: "#fbfbf9",
  theme_color: "#1f6f50",
  icons: [
    { src: icons.svg, sizes: "any", type: "image/svg+xml", purpose: "any" },
    { src: icons.small, sizes: "192x192", type: "image/png", purpose: "any" },
    { src: icons.large, sizes: "512x512", type: "image/png", purpose: "any" },
    { src: icons.maskable, sizes: "512x512", type: "image/png", purpose: "maskable" }
  ],
  share_target: {
    action: "/dashboard/add",
    method: "GET",
    enctype: "application/x-www-form-urlencoded",
    params: { title: "title", text: "text", url: "url" }
  },
  shortcuts: [
    shortcut("Add", "Save a link", "/dashboard/add", icons.small),
    shortcut("Search", "Find a link", "/dashboard?focus=search", icons.small),
    shortcut("Unfiled", "Links in no collection", "/dashboard?collection=none", icons.small)
  ]
})
