import { always, finding, lower, on, type Site, sameOn, saving } from "./Form.ts"

/** An arXiv number (https://info.arxiv.org/help/arxiv_identifier.html), with or without a version after it. */
const arxivId = String.raw`(?<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})`
const version = String.raw`(?:v\d{1,3})?`

/** Publishers whose addresses contain the DOI of the paper, on the platform that most of them use. */
const publishers =
  "dl.acm.org tandfonline.com journals.sagepub.com pubs.acs.org science.org pnas.org annualreviews.org royalsocietypublishing.org journals.uchicago.edu *.onlinelibrary.wiley.com onlinelibrary.wiley.com journals.physiology.org pubs.aip.org epubs.siam.org pubsonline.informs.org"

export const paperSites: ReadonlyArray<Site> = [
  sameOn(
    "arxiv.org",
    "arxiv.org export.arxiv.org browse.arxiv.org xxx.lanl.gov",
    "ar5iv.org ar5iv.labs.arxiv.org alphaxiv.org arxiv-vanity.com",
    saving(new RegExp(`^/pdf/${arxivId}(?<v>${version})\\.pdf$`), "arxiv.org/pdf/{id}{v}"),
    finding(
      new RegExp(`^/(?:abs|pdf|html|format|ps|e-print|src|papers|overview)/${arxivId}${version}(?:\\.pdf)?$`),
      "arxiv.org/abs/{id}"
    )
  ),
  on("huggingface.co", finding(new RegExp(`^/papers/${arxivId}$`), "arxiv.org/abs/{id}")),
  sameOn(
    "doi.org",
    "doi.org dx.doi.org",
    "",
    finding(new RegExp(`^/10\\.48550/arxiv\\.${arxivId}$`, "i"), "arxiv.org/abs/{id}", { spelled: lower }), // A DOI is case-insensitive (DOI Handbook, 2.4).
    always(/^\/(?<doi>10\.\d{4,9}\/.+)$/, "doi.org/{doi}", { spelled: lower })
  ),
  on(
    publishers,
    finding(
      /^\/doi\/(?:(?:abs|pdf|pdfdirect|epdf|full|full-xml|fullHtml|pdfplus|book|suppl)\/)?(?<doi>10\.\d{4,9}\/.+)$/,
      "doi.org/{doi}",
      { spelled: lower }
    )
  ),
  on(
    "nature.com",
    finding(
      /^\/articles\/(?<id>s\d{5}-\d{3}-\d{5}-[\da-z]|nature\d{4,6})(?:\.pdf|\/figures\/\d+)?$/,
      "doi.org/10.1038/{id}"
    )
  ),
  on(
    "biorxiv.org medrxiv.org",
    finding(
      /^\/content\/(?<doi>10\.1101\/[\d.]+)v\d+(?:\.(?:full|abstract|full\.pdf|full-text))?$/,
      "doi.org/{doi}"
    )
  ),
  on(
    "ncbi.nlm.nih.gov pubmed.ncbi.nlm.nih.gov pmc.ncbi.nlm.nih.gov",
    always(/^\/pubmed\/(?<id>\d{1,9})$/, "pubmed.ncbi.nlm.nih.gov/{id}"),
    always(/^\/pmc\/articles\/(?<id>PMC\d{1,9})$/, "pmc.ncbi.nlm.nih.gov/articles/{id}"),
    finding(/^\/(?:pmc\/)?articles\/(?<id>PMC\d{1,9})\/pdf\/[^/]*$/, "pmc.ncbi.nlm.nih.gov/articles/{id}")
  ),
  on(
    "openreview.net",
    finding(/^\/(?:forum|pdf)$/, "openreview.net/forum?id={id}", { query: { id: /^[\w-]+$/ } })
  ),
  on(
    "aclanthology.org aclweb.org",
    finding(
      /^\/(?:anthology\/)?(?<id>[A-Z]\d{2}-\d{4}|\d{4}\.[\w-]+\.\d+)(?:\.pdf)?$/,
      "aclanthology.org/{id}"
    )
  ),
  on("jstor.org", finding(/^\/stable\/(?:pdf\/)?(?<id>\d+)(?:\.pdf)?$/, "jstor.org/stable/{id}")),
  on(
    "ssrn.com papers.ssrn.com",
    always(/^\/abstract=(?<id>\d+)$/, "papers.ssrn.com/sol3/papers.cfm?abstract_id={id}"),
    always(/^\/sol3\/papers\.cfm$/, "papers.ssrn.com/sol3/papers.cfm?abstract_id={abstract_id}", {
      query: { abstract_id: /^\d+$/ }
    })
  ),
  on(
    "rfc-editor.org tools.ietf.org datatracker.ietf.org",
    finding(
      /^\/(?:rfc|html|doc|doc\/html|info|rfc\/pdfrfc)\/rfc(?<id>\d{1,5})(?:\.(?:txt|html|pdf|xml))?$/,
      "rfc-editor.org/rfc/rfc{id}"
    )
  ),
  on("python.org", always(/^\/dev\/peps\/(?<id>pep-\d{4})$/, "peps.python.org/{id}"))
]
