import { lower, type Site } from "./Form.ts"

/** An arXiv number (https://info.arxiv.org/help/arxiv_identifier.html), with or without a version after it. */
const arxivId = String.raw`(?<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})`
const version = String.raw`(?:v\d{1,3})?`

/** Publishers whose addresses contain the DOI of the paper, on the platform that most of them use. */
const publishers = [
  ...["dl.acm.org", "tandfonline.com", "journals.sagepub.com", "pubs.acs.org", "science.org", "pnas.org"],
  ...[
    "annualreviews.org",
    "royalsocietypublishing.org",
    "journals.uchicago.edu",
    "*.onlinelibrary.wiley.com"
  ],
  ...[
    "onlinelibrary.wiley.com",
    "journals.physiology.org",
    "pubs.aip.org",
    "epubs.siam.org",
    "pubsonline.informs.org"
  ]
]

/** Papers: one work has a page, files, versions and a name that outlives them. */
export const paperSites: ReadonlyArray<Site> = [
  {
    hosts: ["arxiv.org", "export.arxiv.org", "browse.arxiv.org", "xxx.lanl.gov"],
    home: "arxiv.org",
    mirrors: ["ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org", "arxiv-vanity.com"],
    forms: [
      {
        path: new RegExp(`^/pdf/${arxivId}(?<v>${version})\\.pdf$`),
        to: "arxiv.org/pdf/{id}{v}",
        only: "saving"
      },
      {
        path: new RegExp(
          `^/(?:abs|pdf|html|format|ps|e-print|src|papers|overview)/${arxivId}${version}(?:\\.pdf)?$`
        ),
        to: "arxiv.org/abs/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["huggingface.co"],
    forms: [{ path: new RegExp(`^/papers/${arxivId}$`), to: "arxiv.org/abs/{id}", only: "finding" }]
  },
  {
    hosts: ["doi.org", "dx.doi.org"],
    home: "doi.org",
    forms: [
      {
        path: new RegExp(`^/10\\.48550/arxiv\\.${arxivId}$`, "i"),
        to: "arxiv.org/abs/{id}",
        only: "finding",
        spelled: lower
      },
      // A DOI is case-insensitive (DOI Handbook, 2.4).
      { path: /^\/(?<doi>10\.\d{4,9}\/.+)$/, to: "doi.org/{doi}", spelled: lower }
    ]
  },
  {
    hosts: publishers,
    forms: [
      {
        path: /^\/doi\/(?:(?:abs|pdf|pdfdirect|epdf|full|full-xml|fullHtml|pdfplus|book|suppl)\/)?(?<doi>10\.\d{4,9}\/.+)$/,
        to: "doi.org/{doi}",
        only: "finding",
        spelled: lower
      }
    ]
  },
  {
    hosts: ["nature.com"],
    forms: [
      {
        path: /^\/articles\/(?<id>s\d{5}-\d{3}-\d{5}-[\da-z]|nature\d{4,6})(?:\.pdf|\/figures\/\d+)?$/,
        to: "doi.org/10.1038/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["biorxiv.org", "medrxiv.org"],
    forms: [
      {
        path: /^\/content\/(?<doi>10\.1101\/[\d.]+)v\d+(?:\.(?:full|abstract|full\.pdf|full-text))?$/,
        to: "doi.org/{doi}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["ncbi.nlm.nih.gov", "pubmed.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov"],
    forms: [
      { path: /^\/pubmed\/(?<id>\d{1,9})$/, to: "pubmed.ncbi.nlm.nih.gov/{id}" },
      { path: /^\/pmc\/articles\/(?<id>PMC\d{1,9})$/, to: "pmc.ncbi.nlm.nih.gov/articles/{id}" },
      {
        path: /^\/(?:pmc\/)?articles\/(?<id>PMC\d{1,9})\/pdf\/[^/]*$/,
        to: "pmc.ncbi.nlm.nih.gov/articles/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["openreview.net"],
    forms: [
      {
        path: /^\/(?:forum|pdf)$/,
        query: { id: /^[\w-]+$/ },
        to: "openreview.net/forum?id={id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["aclanthology.org", "aclweb.org"],
    forms: [
      {
        path: /^\/(?:anthology\/)?(?<id>[A-Z]\d{2}-\d{4}|\d{4}\.[\w-]+\.\d+)(?:\.pdf)?$/,
        to: "aclanthology.org/{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["jstor.org"],
    forms: [
      { path: /^\/stable\/(?:pdf\/)?(?<id>\d+)(?:\.pdf)?$/, to: "jstor.org/stable/{id}", only: "finding" }
    ]
  },
  {
    hosts: ["ssrn.com", "papers.ssrn.com"],
    forms: [
      { path: /^\/abstract=(?<id>\d+)$/, to: "papers.ssrn.com/sol3/papers.cfm?abstract_id={id}" },
      {
        path: /^\/sol3\/papers\.cfm$/,
        query: { abstract_id: /^\d+$/ },
        to: "papers.ssrn.com/sol3/papers.cfm?abstract_id={abstract_id}"
      }
    ]
  },
  {
    hosts: ["rfc-editor.org", "tools.ietf.org", "datatracker.ietf.org"],
    forms: [
      {
        path: /^\/(?:rfc|html|doc|doc\/html|info|rfc\/pdfrfc)\/rfc(?<id>\d{1,5})(?:\.(?:txt|html|pdf|xml))?$/,
        to: "rfc-editor.org/rfc/rfc{id}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["python.org"],
    forms: [{ path: /^\/dev\/peps\/(?<id>pep-\d{4})$/, to: "peps.python.org/{id}" }]
  }
]
