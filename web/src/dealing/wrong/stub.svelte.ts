// The cards of the stub while they are scanned, in order; a card that is there twice counts twice.

export class StubScan {
  scanning = $state(false);
  cards = $state.raw<string[]>([]);

  begin(): void {
    this.scanning = true;
    this.cards = [];
  }

  scan(card: string): void {
    this.cards = [...this.cards, card];
  }

  /** The cards that were scanned; scanning is over. */
  end(): string[] {
    this.scanning = false;
    return this.cards;
  }
}
