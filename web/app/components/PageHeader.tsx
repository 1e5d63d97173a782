import { type PageName, pages } from "../views.ts"
import { type HeaderProps, ViewHeader } from "./ViewHeader.tsx"

/** What the labels are for. */
export const descriptions: { readonly [page in PageName]?: string } = {
  tags: "Words for what a link is about. A link has as many as you like.",
  categories: "One broad label for each link, chosen by itself. Change it where it is wrong.",
  collections: "Places that you file links into, one for each link. They can be shared as a whole."
}

interface Props extends Pick<HeaderProps, "actions" | "count"> {
  readonly page: PageName
}

/** The header of a page that is no list of links. */
export const PageHeader = ({ page, ...others }: Props) => (
  <ViewHeader {...pages[page]} description={descriptions[page]} {...others} />
)
