/** @jsxImportSource preact */

/** The packed extensions, which contain the address and the token of this library. */
export const ExtensionDownloads = () => (
  <>
    <p class="actions">
      <a class="button" href="/setup/extension/chrome.zip" download="linkbower-chrome.zip">
        For Chrome, Edge, Brave
      </a>
      <a class="button" href="/setup/extension/firefox.zip" download="linkbower-firefox.zip">
        For Firefox
      </a>
    </p>
    <p class="hint">
      Unpack it into a folder that stays. Chrome: open <code>chrome://extensions</code>, turn on Developer
      mode, press Load unpacked. Firefox: open <code>about:debugging#/runtime/this-firefox</code>, press Load
      Temporary Add-on. The download contains your token: do not pass it on.
    </p>
  </>
)
