import { useEffect, useRef } from "preact/hooks"
import { tell } from "../state/toasts.ts"
import { CopyButton } from "./Command.tsx"

/** The most of what is selected on a page that is handed over, in UTF-16 units: an address has its limits. */
const MOST_SELECTED = 2_000

/** A bookmark's address that opens the form to save a link in a small window, for the page it is used on. */
const bookmarkletOf = (origin: string): string =>
  `javascript:(()=>{window.open(${JSON.stringify(`${origin}/dashboard/add?`)}+new URLSearchParams({url:location.href,title:document.title,text:String(getSelection()).slice(0,${MOST_SELECTED})}),"_blank","noopener,width=520,height=620")})()`

const explain = (event: Event) => {
  event.preventDefault()
  tell("Drag it to your bookmarks bar. Clicking it here does nothing.")
}

/** A bookmark to drag to the browser's bar. Clicked here it does nothing: the page's policy forbids it. */
export const Bookmarklet = () => {
  const anchor = useRef<HTMLAnchorElement>(null)
  const code = bookmarkletOf(location.origin)
  useEffect(() => anchor.current?.addEventListener("click", explain), [])
  return (
    <div class="bookmarklet">
      <a ref={anchor} class="button" href={code} title="Drag this to your bookmarks bar">
        Save to Linkbower
      </a>
      <CopyButton text={code} label="Copy its address" />
    </div>
  )
}
