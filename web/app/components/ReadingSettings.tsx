import { useEffect } from "preact/hooks"
import { count, sizeText } from "../../../src/shared/Format.ts"
import { isOfThisDevice, ONLY_HERE } from "../../../src/shared/OwnDevice.ts"
import { api } from "../api.ts"
import { forgetOffline, offlineArticles, refreshOffline } from "../reader/offline.ts"
import { ask } from "../state/dialogs.ts"
import { markRead, offline } from "../state/preferences.ts"
import { Button } from "./Button.tsx"
import { Command } from "./Command.tsx"
import { Switch } from "./Fields.tsx"
import { useLoaded } from "./useLoaded.tsx"

/** What the reader does by itself in this browser, and what it keeps here. */
export const ReadingSettings = () => {
  useEffect(() => void refreshOffline(), [])
  const articles = offlineArticles.value ?? []
  const bytes = articles.reduce((sum, one) => sum + one.bytes, 0)
  return (
    <>
      <Switch name="Mark as read at the end" setting={markRead}>
        Reading a kept page to its end marks its link as read. You can undo it.
      </Switch>
      <Switch name="Keep opened pages for reading offline" setting={offline}>
        This browser keeps the last 50 pages that you opened, at most 50 MB. Signing out removes them.
      </Switch>
      {articles.length === 0 ? null : (
        <p>
          {count(articles.length, "page")}, {sizeText(bytes)}.{" "}
          <Button class="link-button" onClick={() => void forgetOffline()}>
            Remove them
          </Button>
        </p>
      )}
    </>
  )
}

/** The section of the settings for the catalog that e-readers read. */
export const EReaderSettings = () => {
  const { change, notice, value: access } = useLoaded(api.ereaders)
  const renew = () =>
    change(api.renewEReaders, "E-readers can read your kept pages", "The address was not made.")
  const revoke = () =>
    change(api.revokeEReaders, "E-readers are kept out", "The address was not switched off.")
  if (access === undefined) return <>{notice}</>
  const about = (
    <p>
      An e-reader can fetch your unread and favorite pages, and those of saved searches, as books: KOReader
      and other apps read such a catalog (OPDS). <a href="/docs/reading#e-readers">How to set it up</a>
    </p>
  )
  if (access === null)
    return (
      <>
        {about}
        <p class="row">
          <Button needsService onClick={() => void renew()}>
            Make an address
          </Button>
        </p>
      </>
    )
  const { address, catalog, password } = access
  return (
    <>
      {about}
      {isOfThisDevice(address) ? (
        <p class="problem" role="alert">
          {ONLY_HERE}
        </p>
      ) : null}
      <p>For an app that asks for an address alone:</p>
      <Command text={address} />
      <p>
        For an app that asks for a user name and a password, this address, any user name, and this password:
      </p>
      <Command text={catalog} />
      <Command text={password} />
      <p class="hint">Anyone who has the first address or the password can read every kept page.</p>
      <p class="row">
        <Button
          needsService
          onClick={() =>
            ask({
              title: "Make a new address?",
              text: "The old address and password stop working at once, on every e-reader.",
              confirm: "Make a new address",
              run: () => void renew()
            })
          }
        >
          Make a new address…
        </Button>
        <Button
          needsService
          onClick={() =>
            ask({
              title: "Switch the address off?",
              text: "E-readers can fetch nothing more. The books on them stay there.",
              confirm: "Switch off",
              run: () => void revoke()
            })
          }
        >
          Switch off…
        </Button>
      </p>
    </>
  )
}
