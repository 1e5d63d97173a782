/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks"
import { HANDED_OVER } from "../../src/shared/Handover.ts"
import { CopyField } from "./CopyField.tsx"
import { ExtensionDownloads } from "./ExtensionDownloads.tsx"
import { Frame } from "./Frame.tsx"

const hasToken = () => /^#token=./.test(location.hash)
/** The extension leaves this in the place of the token that it has taken. */
const isHandedOver = () => location.hash === HANDED_OVER

/**
 * The page whose address hands the library's address and token to the extension: the owner clicks the extension's button
 * while this page is open. The token is in the fragment, which browsers do not send.
 */
export const Connect = () => {
  const [link, setLink] = useState<string | null>()
  const [isConnected, setConnected] = useState(false)
  useEffect(() => {
    const read = () => {
      setConnected(isHandedOver())
      setLink(hasToken() ? location.href : isHandedOver() ? undefined : null)
    }
    read()
    window.addEventListener("hashchange", read)
    return () => window.removeEventListener("hashchange", read)
  }, [])
  return (
    <Frame title="Connect the extension" lead="It takes the library’s address and its token from this page.">
      {isConnected ? (
        <p class="frame-note" role="status">
          This browser is connected. You can close this page.
        </p>
      ) : null}
      {link === null ? (
        <p class="frame-note" role="status">
          This address has no token. Open the page from <a href="/setup#extension">the set-up</a>, which makes
          one.
        </p>
      ) : null}
      <ol class="numbered">
        <li>
          <p>Install the extension, if it is not there yet:</p>
          <ExtensionDownloads />
        </li>
        <li>
          <p>
            Stay on this page and click the Linkbower button in the browser’s toolbar. In Chrome it may be
            behind the puzzle piece.
          </p>
        </li>
        <li>
          <p>
            The extension asks whether to connect. Press <b>Connect</b>, and you can close this page.
          </p>
        </li>
      </ol>
      {typeof link === "string" ? (
        <details class="frame-details">
          <summary>The button does not work?</summary>
          <p>Copy this text into the field at the top of the extension’s options. Keep it to yourself.</p>
          <CopyField label="Connection" text={link} />
        </details>
      ) : null}
    </Frame>
  )
}
