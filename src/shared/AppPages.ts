export const plainPages = [
  "duplicates",
  "tags",
  "categories",
  "collections",
  "searches",
  "highlights",
  "settings",
  "statistics"
] as const

const APP_PAGE = new RegExp(`^/dashboard(/(${plainPages.join("|")}|add|(jobs|read)/[1-9]\\d{0,14}))?/*$`)

export const isAppPage = (path: string): boolean => APP_PAGE.test(path)
