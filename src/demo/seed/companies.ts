import { africaMiddleEast } from './companies/africaMiddleEast.ts';
import { americas } from './companies/americas.ts';
import { asiaPacific } from './companies/asiaPacific.ts';
import { centralEurope } from './companies/centralEurope.ts';
import { nordic } from './companies/nordic.ts';
import { southernEurope } from './companies/southernEurope.ts';
import { westernEurope } from './companies/westernEurope.ts';
import type { CompanyProfile } from './profile.ts';
import { profileOf } from './profile.ts';

/** The companies written by hand, all of them invented, in the order in which a small catalogue takes them. */
export const handWrittenCompanies: readonly CompanyProfile[] = [
  ...americas,
  ...centralEurope,
  ...westernEurope,
  ...southernEurope,
  ...nordic,
  ...asiaPacific,
  ...africaMiddleEast,
].map(profileOf);
