import { useEffect, useState } from "preact/hooks"
import { isOfThisDevice, ONLY_HERE } from "../../../src/shared/OwnDevice.ts"
import { api, type EReaderAddresses } from "../api.ts"
import { needsService } from "../state/connection.ts"
import { ask } from "../state/dialogs.ts"
import { reasonOf, tell, tellFailure } from "../state/toasts.ts"
import { Command } from "./Command.tsx"

/** The section of the settings for the catalog that e-readers read. */
export const EReaderSettings = () => {
  const [access, setAccess] = useState<EReaderAddresses | null>()
  const [problem, setProblem] = useState("")
  useEffect(() => {
    api.ereaders().then(setAccess, (error: unknown) => setProblem(reasonOf(error)))
  }, [])
  const renew = async () => {
    try {
      const { ereaders } = await api.renewEReaders()
      setAccess(ereaders)
      tell("E-readers can read your kept pages")
    } catch (error) {
      tellFailure("The address was not made.", error)
    }
  }
  const revoke = async () => {
    try {
      await api.revokeEReaders()
      setAccess(null)
      tell("E-readers are kept out")
    } catch (error) {
      tellFailure("The address was not switched off.", error)
    }
  }
  if (access === undefined)
    return problem === "" ? (
      <p class="hint">Loading…</p>
    ) : (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
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
          <button type="button" class="button" {...needsService()} onClick={() => void renew()}>
            Make an address
          </button>
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
        <button
          type="button"
          class="button"
          {...needsService()}
          onClick={() =>
            ask({
              title: "Make a new address?",
              text: "The old address and password stop working at once, on every e-reader.",
              confirm: "Make it anew",
              cancel: "Cancel",
              run: () => void renew()
            })
          }
        >
          Make it anew…
        </button>
        <button
          type="button"
          class="button"
          {...needsService()}
          onClick={() =>
            ask({
              title: "Switch the address off?",
              text: "E-readers can fetch nothing more. The books on them stay there.",
              confirm: "Switch off",
              cancel: "Cancel",
              run: () => void revoke()
            })
          }
        >
          Switch off…
        </button>
      </p>
    </>
  )
}
