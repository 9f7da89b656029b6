/** zod, without the code generation that the page's policy forbids. Import it from here. */
import { z } from 'zod';

z.config({ jitless: true });

export { z };
