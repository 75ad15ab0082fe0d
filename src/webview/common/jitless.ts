import * as z from 'zod/mini';

// The page's policy forbids code made from strings; without this the validator would probe for it and be reported.
z.config({ jitless: true });
