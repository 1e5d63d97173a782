import { useEffect, useState } from "preact/hooks"
import { count, dayText } from "../../../src/shared/Format.ts"
import { api, type PageShare } from "../api.ts"
import { copyText } from "../copyText.ts"
import { named } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { reasonOf, tell } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { CopyButton } from "./Command.tsx"
import { Dialog } from "./Dialog.tsx"
import { Select } from "./Fields.tsx"

const DAY = 86_400_000

/** How long an address lasts, in days; null does not expire. */
const lengths: ReadonlyArray<readonly [days: number | null, name: string]> = [
  [30, "30 days"],
  [7, "7 days"],
  [1, "a day"],
  [null, "good"]
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
            <Button class="link-button" needsService onClick={() => onEnd(id)}>
              End<span class="visually-hidden"> the address made {dayText(createdAt)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )

/** Makes a secret address for a link's kept page, and ends earlier ones. */
export const SharePageDialog = ({ id }: { readonly id: number }) => {
  const [shares, setShares] = useState<ReadonlyArray<PageShare>>([])
  const [days, setDays] = useState<number | null>(30)
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
      const expiresAt = days === null ? null : new Date(Date.now() + days * DAY).toISOString()
      const { url } = await api.sharePage(id, expiresAt)
      setAddress(url)
      // The address is there to be copied in any case.
      await copyText(url).then(
        () => tell("Address copied."),
        () => undefined
      )
    })
  return (
    <Dialog
      title="Share this page"
      onClose={close}
      about={
        <p class="hint" dir="auto">
          {named([id])}
        </p>
      }
    >
      <p>
        Whoever has the address reads the page as it is kept now, its text and pictures. Nothing else of your
        library can be reached from there.
      </p>
      {address === undefined ? (
        <div class="row">
          <label>
            For <Select value={days} choices={lengths} onChoose={setDays} />
          </label>
          <Button kind="primary" data-autofocus needsService onClick={() => void share()}>
            Make an address
          </Button>
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
