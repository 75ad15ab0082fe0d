import type { SectionId } from './words/words.ts';

const climateTypes = ['TCFD', 'CLIM', 'GHGR', 'CTRP', 'CRPL', 'EMAS'];
const peopleTypes = ['MSST', 'HRTS', 'SCTR', 'CODE', 'DEIR', 'GPGR', 'HSAF', 'CBEN', 'UNGC'];

/** Which parts a report of a type has, in order. */
export function sectionsOf(type: string): readonly SectionId[] {
  if (type === 'SR')
    return ['about', 'strategy', 'climate', 'resources', 'people', 'governance', 'method', 'assurance'];
  if (type === 'IR' || type === 'AR2') {
    return [
      ...(['about', 'business', 'strategy', 'climate', 'resources'] as const),
      ...(['people', 'governance', 'outlook', 'method', 'assurance'] as const),
    ];
  }
  if (type === 'AR1') return ['about', 'business', 'people', 'governance', 'outlook'];
  if (type === 'ESGD') return ['about', 'climate', 'resources', 'business', 'people', 'method', 'assurance'];
  if (climateTypes.includes(type))
    return ['topic', 'strategy', 'climate', 'resources', 'governance', 'method', 'assurance'];
  if (type === 'WATR' || type === 'TNFD') return ['topic', 'resources', 'governance', 'method'];
  if (peopleTypes.includes(type)) return ['topic', 'people', 'governance'];
  return ['topic', 'governance', 'outlook'];
}
