// Money of an earlier round that went wrong, as it is reported, and as a report waits.

/** What a person reports: the amount above zero or below says in whose favour. */
export interface WrongAmount {
  round: number;
  seat: number;
  cents: number;
  reason: string;
}

/** A report that waits for a supervisor, and what can be done about it, the usual first. */
export interface WaitingReport {
  number: number;
  words: string;
  reason: string;
  by: string;
  acts: { words: string; carryOut: () => void }[];
}
