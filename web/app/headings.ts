import { readableHost } from "../../src/shared/HostName.ts"
import { withoutWww } from "../../src/shared/WebAddress.ts"
import type { Link } from "./api.ts"
import type { Grouping } from "./state/preferences.ts"

const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" })

/** Returns the heading under which a link stands; undefined without groups. */
export const headingIn = (grouping: Grouping): ((link: Link) => string) | undefined => {
  switch (grouping) {
    case "none":
      return undefined
    case "site":
      return ({ host }) => readableHost(withoutWww(host))
    case "collection":
      return ({ collection }) => collection?.name ?? "Unfiled"
    case "month":
      return ({ createdAt }) => month.format(new Date(createdAt))
  }
}
