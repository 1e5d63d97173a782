import type { Link } from "../api.ts"
import { IconButton } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { externalLink } from "../externalLink.ts"
import { ContentsButton } from "./Contents.tsx"
import type { ReaderFrame } from "./frame.ts"
import { leaveReader } from "./leave.ts"
import { MoreMenu } from "./MoreMenu.tsx"
import { parts } from "./parts.ts"
import { TextButton } from "./TextPanel.tsx"

interface Props {
  readonly link: Link | undefined
  readonly frame: ReaderFrame | null
}

/** The bar above the page that is read. */
export const Toolbar = ({ frame, link }: Props) => (
  <header class="reader-bar">
    <IconButton icon="chevron" label="Back" title="Back (Esc)" onClick={leaveReader} />
    <ContentsButton frame={frame} />
    <p class="reader-title" dir="auto" title={link?.title}>
      {link?.title}
    </p>
    {link === undefined ? null : (
      <>
        {parts.map(({ name, Tool }) =>
          Tool === undefined ? null : <Tool key={name} link={link} frame={frame} />
        )}
        <TextButton />
        <a class="icon-button" title="Open the original (o)" {...externalLink(link.url)}>
          <Icon name="external" />
          <span class="visually-hidden">Open the original</span>
        </a>
        <MoreMenu link={link} frame={frame} />
      </>
    )}
  </header>
)
