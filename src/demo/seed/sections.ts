import type words from '../data/words.en.json';

/** The parts that a document may have. */
export type SectionId = keyof (typeof words)['sections'];

const climateTypes = ['TCFD', 'CLIM', 'GHGR', 'CTRP', 'CRPL', 'EMAS'];

/** Which parts a report of a type has, in order. */
export function sectionsOf(type: string): readonly SectionId[] {
  if (type === 'SR')
    return ['about', 'strategy', 'climate', 'resources', 'people', 'governance', 'outlook', 'method', 'assurance'];
  if (type === 'IR' || type === 'AR2') {
    return [
      ...(['about', 'business', 'strategy', 'climate', 'resources'] as const),
      ...(['people', 'governance', 'outlook', 'method', 'assurance'] as const),
    ];
  }
  if (type === 'AR1') return ['about', 'business', 'strategy', 'resources', 'people', 'governance', 'outlook'];
  if (type === 'ESGD')
    return ['about', 'strategy', 'climate', 'resources', 'business', 'people', 'governance', 'method', 'assurance'];
  if (climateTypes.includes(type)) {
    return [
      ...(['topic', 'strategy', 'climate', 'resources', 'people'] as const),
      ...(['governance', 'outlook', 'method', 'assurance'] as const),
    ];
  }
  if (type === 'WATR' || type === 'TNFD')
    return ['topic', 'strategy', 'business', 'resources', 'people', 'governance', 'outlook', 'method'];
  return ['topic', 'strategy', 'business', 'resources', 'people', 'governance', 'outlook'];
}
