import { useEffect, useState } from "preact/hooks"
import { count, dayText } from "../../../src/shared/Format.ts"
import { api, type PageShare } from "../api.ts"
import { copyText } from "../copyText.ts"
import { named } from "../state/changes.ts"
import { needsService } from "../state/connection.ts"
import { close } from "../state/dialogs.ts"
import { reasonOf, tell } from "../state/toasts.ts"
import { CopyButton } from "./Command.tsx"
import { Dialog, DialogHeader } from "./Dialog.tsx"

const DAY = 86_400_000

/** How long an address lasts, in days; never ends without a number. */
const lengths = [
  { name: "30 days", days: 30 },
  { name: "7 days", days: 7 },
  { name: "a day", days: 1 },
  { name: "good" }
]

interface SharesProps {
  readonly shares: ReadonlyArray<PageShare>
  readonly onEnd: (id: number) => void
}

const Shares = ({ onEnd, shares }: SharesProps) =>
  shares.length === 0 ? null : (
    <section class="detail-section">
      <h3>{count(shares.length, "address", "addresses")} made earlier</h3>
      <ul>
        {shares.map(({ createdAt, expiresAt, id }) => (
          <li key={id} class="row">
            <span>
              Made {dayText(createdAt)},{" "}
              {expiresAt === null ? "does not expire" : `expires ${dayText(expiresAt)}`}
            </span>
            <button type="button" class="link-button" {...needsService()} onClick={() => onEnd(id)}>
              End<span class="visually-hidden"> the address made {dayText(createdAt)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )

/** Makes a secret address for a link's kept page, and ends earlier ones. */
export const SharePageDialog = ({ id }: { readonly id: number }) => {
  const [shares, setShares] = useState<ReadonlyArray<PageShare>>([])
  const [days, setDays] = useState<number | undefined>(30)
  const [address, setAddress] = useState<string>()
  const [problem, setProblem] = useState("")
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act()
      setShares((await api.shares()).shares.filter(({ linkId }) => linkId === id))
      setProblem("")
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  useEffect(() => void attempt(() => Promise.resolve()), [id])
  const share = () =>
    attempt(async () => {
      const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY).toISOString()
      const { url } = await api.sharePage(id, expiresAt)
      setAddress(url)
      // The address is there to be copied in any case.
      await copyText(url).then(
        () => tell("Address copied."),
        () => undefined
      )
    })
  return (
    <Dialog label="Share this page" onClose={close}>
      <DialogHeader title="Share this page" onClose={close}>
        <p class="hint" dir="auto">
          {named([id])}
        </p>
      </DialogHeader>
      <p>
        Whoever has the address reads the page as it is kept now, its text and pictures. Nothing else of your
        library can be reached from there.
      </p>
      {address === undefined ? (
        <div class="row">
          <label>
            For{" "}
            <select
              value={String(days)}
              onChange={({ currentTarget }) => setDays(lengths[currentTarget.selectedIndex]?.days)}
            >
              {lengths.map(({ days: one, name }) => (
                <option key={name} value={String(one)}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="button"
            data-kind="primary"
            data-autofocus
            {...needsService()}
            onClick={() => void share()}
          >
            Make an address
          </button>
        </div>
      ) : (
        <>
          <p class="prewrap">
            <a href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>{" "}
            <CopyButton text={address} />
          </p>
          <p class="hint">It is shown only now. End it here when it is no longer needed.</p>
        </>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      <Shares
        shares={shares}
        onEnd={(share) =>
          void attempt(async () => {
            await api.endShare(share)
            setAddress(undefined)
          })
        }
      />
    </Dialog>
  )
}
