import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Link } from "../api.ts"
import { loadReader, readerParts } from "../state/lazy.ts"
import { Button } from "./Button.tsx"

/** Whether the details show the kept page of each link. */
const isOpen = signal(false)

const Page = ({ link }: { readonly link: Link }) => {
  const parts = readerParts.value
  useEffect(() => void loadReader(), [])
  return parts === null ? null : <parts.Inset key={link.id} link={link} />
}

/** The kept page within a link's details, opened on request. *Read* above them gives it the whole screen. */
export const DetailReader = ({ link }: { readonly link: Link }) => (
  <section class="detail-section" aria-label="Kept page">
    <p class="row">
      <Button
        icon="read"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {isOpen.value ? "Hide the page" : "Show the page"}
      </Button>
    </p>
    {isOpen.value ? <Page link={link} /> : null}
  </section>
)
