/** So many companies' facts are remembered; a page of reports seldom names more. */
const mostRemembered = 2000;

/**
 * The JSON of facts, made once for all reports of a company that say the same: a page repeats them report after report,
 * and the very same text is found again by those who remember it.
 */
export class SharedFacts {
  readonly #known = new Map<string, { readonly facts: readonly string[]; readonly json: string }>();

  json(companyKey: string, facts: readonly string[]): string {
    const known = this.#known.get(companyKey);
    if (known && facts.every((fact, index) => fact === known.facts[index])) return known.json;
    if (this.#known.size >= mostRemembered) this.#known.clear();
    const json = JSON.stringify(facts);
    this.#known.set(companyKey, { facts, json });
    return json;
  }
}
